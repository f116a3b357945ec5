//! `drumlin parse`: one document, as the crawler would read it.

use super::{print, read_input};
use crate::exit::bad_usage;
use crate::settings::TextSetting;
use page::{Document, Header, Link, LinkKinds, Page, PageKind, Rel, Room, Settings, Unpacked};
use prose::About;
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::ExitCode;
use stdx::count_of;
use weburl::Url;

/// What to read and how to show it.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Where the document came from; references are resolved against it.
    #[arg(long, value_name = "URL")]
    url: String,
    /// A response header, `Name: value`; Content-Type, Content-Encoding, X-Robots-Tag, Link and Refresh are read.
    #[arg(long = "header", value_name = "HEADER")]
    headers: Vec<String>,
    /// Show links to images, scripts, style sheets and the like too.
    #[arg(long)]
    all: bool,
    /// What of an HTML page is shown as its text: all that is visible (without elements with `hidden` and dialogs that are not open; no
    /// style is read), the article without what surrounds it (and what the page says of author and date), the same as Markdown, or nothing
    #[arg(long, value_name = "WHAT", default_value = "visible")]
    text: TextSetting,
    /// One JSON object instead of lines for people.
    #[arg(long)]
    json: bool,
    /// The document, `-` for standard input.
    file: String,
}

/// Reads the document and prints what it means.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let url = Url::parse_typed(&args.url).map_err(|error| bad_usage(format!("--url: {error}")))?;
    let body = read_input(&args.file)?;
    let headers = args.headers.iter().map(|line| header(line)).collect::<anyhow::Result<Vec<_>>>()?;
    let kinds = if args.all { LinkKinds::ALL } else { LinkKinds::PAGES };
    let settings = Settings { kinds, ..Settings::default() };
    let document = Document { url: &url, headers: &headers, body: &body[..] };
    let mut room = Room::default();
    let body = &Unpacked::of(document.body, document.header("content-encoding"), &settings.limits, &mut room);
    let mut page = page::parse_unpacked(&Document { url: &url, headers: &headers, body }, &settings);
    let about = choose_text(&mut page, body, args.text);
    print(&if args.json {
        format!("{}\n", as_json(&page, about.as_ref()))
    } else {
        as_text(&page, about.as_ref())
    })
}

/// Leaves the text that is to be shown; returns what was found on the way to an article.
fn choose_text(page: &mut Page, body: &Unpacked<'_>, wanted: TextSetting) -> Option<About> {
    match wanted {
        _ if !page.kind.has_text() => page.text.clear(),
        TextSetting::Visible => return None,
        TextSetting::None => page.text.clear(),
        _ if page.kind != PageKind::Html => return None,
        TextSetting::Main | TextSetting::Markdown => {
            let html = page.decoded(body);
            let article = prose::read_by(&html, page.dialect);
            page.text = if wanted == TextSetting::Main { article.text() } else { article.markdown() };
            return Some(article.about().clone());
        }
    }
    None
}

fn header(line: &str) -> anyhow::Result<Header<'_>> {
    let (name, value) =
        line.split_once(':').ok_or_else(|| bad_usage(format!("--header `{line}` has no colon")))?;
    Ok(Header { name: name.trim(), value: value.trim() })
}

fn as_json(page: &Page, about: Option<&About>) -> Value {
    json!({
        "about": about.map(about_as_json),
        "title": page.title,
        "base": page.base,
        "canonical": page.canonical,
        "refresh": page.refresh.as_ref().map(|refresh| json!({"url": refresh.url, "delay_ms": refresh.delay_ms})),
        "charset": page.charset,
        "charset_source": page.charset_source,
        "language": page.language,
        "html_lang": page.html_lang,
        "directives": page.directives.names().collect::<Vec<_>>(),
        "bytes": page.decoded_len,
        "cut": page.cut.names().collect::<Vec<_>>(),
        "warnings": page.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "links": page.links.iter().map(link_as_json).collect::<Vec<_>>(),
        "text": page.text,
    })
}

fn about_as_json(about: &About) -> Value {
    json!({
        "title": about.title,
        "author": about.author,
        "date": about.date,
        "site": about.site,
        "language": about.language,
    })
}

fn link_as_json(link: &Link) -> Value {
    json!({
        "url": link.url,
        "kind": link.kind,
        "rel": rel_words(link.rel),
        "hreflang": link.hreflang,
        "anchor": link.anchor,
        "place": link.place,
    })
}

fn as_text(page: &Page, about: Option<&About>) -> String {
    let mut out = String::new();
    for (name, value) in facts(page, about) {
        writeln!(out, "{name:<11} {value}").expect("a string takes any text");
    }
    writeln!(out, "\n{}", count_of(page.links.len() as u64, "link")).expect("a string takes any text");
    for link in &page.links {
        writeln!(out, "{}", link_as_text(link)).expect("a string takes any text");
    }
    out + "\n" + page.text.trim_end() + "\n"
}

/// What is known of the page, a line each; what it does not say has no line.
fn facts(page: &Page, about: Option<&About>) -> Vec<(&'static str, String)> {
    let language = page.language.map(|found| format!("{} ({:.2})", found.iso_639_1, found.confidence));
    let refresh = page.refresh.as_ref().map(|to| format!("{} after {} ms", to.url, to.delay_ms));
    let said = |what: fn(&About) -> &Option<String>| about.and_then(|about| what(about).clone());
    let facts = [
        ("title", said(|about| &about.title).or_else(|| page.title.clone())),
        ("author", said(|about| &about.author)),
        ("date", said(|about| &about.date)),
        ("site", said(|about| &about.site)),
        ("base", Some(page.base.to_string())),
        ("canonical", page.canonical.as_ref().map(Url::to_string)),
        ("refresh", refresh),
        ("charset", Some(format!("{} ({})", page.charset, word(&page.charset_source)))),
        ("language", language),
        ("html lang", page.html_lang.clone()),
        ("directives", joined(page.directives.names())),
        ("cut", joined(page.cut.names())),
    ];
    let warnings = page.warnings.iter().map(|warning| ("warning", warning.to_string()));
    facts.into_iter().filter_map(|(name, value)| Some((name, value?))).chain(warnings).collect()
}

fn link_as_text(link: &Link) -> String {
    let rel = joined(rel_words(link.rel).into_iter()).map(|rel| format!(" [{rel}]"));
    let anchor = Some(&link.anchor).filter(|anchor| !anchor.is_empty()).map(|anchor| format!(" “{anchor}”"));
    let (rel, anchor) = (rel.unwrap_or_default(), anchor.unwrap_or_default());
    format!("{:<12} {}{rel}{anchor}", link.kind.name(), link.url)
}

/// The link types that a crawl or its readers act on.
fn rel_words(rel: Rel) -> Vec<&'static str> {
    let words = [
        ("nofollow", Rel::NOFOLLOW),
        ("ugc", Rel::UGC),
        ("sponsored", Rel::SPONSORED),
        ("alternate", Rel::ALTERNATE),
        ("canonical", Rel::CANONICAL),
        ("next", Rel::NEXT),
        ("prev", Rel::PREV),
        ("search", Rel::SEARCH),
        ("external", Rel::EXTERNAL),
        ("me", Rel::ME),
    ];
    words.into_iter().filter(|(_, set)| rel.has(*set)).map(|(word, _)| word).collect()
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    let words = words.collect::<Vec<_>>().join(", ");
    (!words.is_empty()).then_some(words)
}

/// The name by which a value is serialised.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

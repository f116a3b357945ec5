//! What a page says about itself: in its head, as JSON-LD, and beside its title.

mod byline;
mod date;
mod json_ld;
mod others;

use crate::choose::{BETWEEN, Chosen, is_part};
use crate::head::Head;
use crate::limits::LABEL_BYTES;
use crate::page::Page;
use date::Order;
use json_ld::Stated;
use markup::reference;

/// What a page says about itself; nothing where it says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct About {
    /// Its title, without the name of the site.
    pub title: Option<String>,
    /// Who wrote it; names separated by `, `.
    pub author: Option<String>,
    /// When it was published, as `YYYY-MM-DD`.
    pub date: Option<String>,
    /// The name of the site.
    pub site: Option<String>,
    /// Its language, a BCP 47 tag; as claimed, not as found.
    pub language: Option<String>,
}

const TITLES: &[&str] = &["og:title", "twitter:title", "dc.title", "dcterms.title", "headline", "title"];
const AUTHORS: &[&str] = &[
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "parsely-author",
    "sailthru.author",
    "citation_author",
    "byl",
    "creator",
];
const DATES: &[&str] = &[
    "article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dc.date.issued",
    "dcterms.created",
    "dcterms.date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publication_date",
    "citation_publication_date",
    "parsely-pub-date",
    "sailthru.date",
    "article.published",
];
const SITES: &[&str] =
    &["og:site_name", "application-name", "dc.publisher", "publisher", "apple-mobile-web-app-title"];
const LANGUAGES: &[&str] = &["og:locale", "content-language", "dc.language", "language", "inlanguage"];

/// What the head calls the page.
pub(crate) fn titles(head: &Head<'_>) -> Vec<String> {
    let named = TITLES.iter().filter_map(|name| meta(head, name));
    named.chain(head.title.and_then(label)).collect()
}

pub(crate) fn of(page: &Page<'_>, head: &Head<'_>, chosen: &Chosen) -> About {
    let stated = json_ld::read(&head.json_ld);
    let site = first(head, SITES).or_else(|| stated.site.clone());
    let heading = chosen.title.and_then(|block| label(&page.line(block)));
    let page_title = head.title.and_then(label);
    let title = first(head, TITLES)
        .or_else(|| stated.title.clone())
        .or_else(|| heading.clone())
        .or_else(|| page_title.clone());
    // Many call the whole of the page's title its title for others.
    let heading = heading.filter(|_| title == page_title);
    let claimed = head.lang.and_then(label).or_else(|| first(head, LANGUAGES));
    let language = claimed.or_else(|| stated.language.clone()).map(|tag| tag.replace('_', "-"));
    About {
        title: title.map(|title| bare(&title, heading, site.as_deref())),
        author: author(page, head, chosen, &stated),
        date: date(page, head, chosen, &stated, Order::of(language.as_deref())),
        language,
        site,
    }
}

fn author(page: &Page<'_>, head: &Head<'_>, chosen: &Chosen, stated: &Stated) -> Option<String> {
    // Many give the address of a profile.
    let metas = AUTHORS.iter().filter_map(|name| meta(head, name)).filter(|name| !name.contains("://"));
    let named = metas.map(|name| byline::name(&name)).find(|names| byline::are_names(names));
    stated.author.clone().or(named).or_else(|| byline::author(page, chosen.title))
}

fn date(page: &Page<'_>, head: &Head<'_>, chosen: &Chosen, stated: &Stated, order: Order) -> Option<String> {
    let stated = stated.date.iter().cloned();
    let metas = DATES.iter().filter_map(|name| meta(head, name));
    let found = stated.chain(metas).find_map(|text| date::find(&text, order));
    found.or_else(|| byline::date(page, chosen.title, order))
}

/// The value of the first of these names that has one.
fn first(head: &Head<'_>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| meta(head, name))
}

fn meta(head: &Head<'_>, name: &str) -> Option<String> {
    let mut named = head.metas.iter().filter(|meta| meta.name.eq_ignore_ascii_case(name));
    named.find_map(|meta| label(meta.content))
}

/// A short value as people read it; nothing where it is empty.
fn label(written: &str) -> Option<String> {
    let written = &written[..written.floor_char_boundary(LABEL_BYTES)];
    let text = reference::in_text(written).replace('\0', "");
    Some(text.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|label| !label.is_empty())
}

/// `A title | The site` is `A title`; so is `The site | A title` where a heading says it.
fn bare(title: &str, heading: Option<String>, site: Option<&str>) -> String {
    let bare = site.and_then(|site| title.strip_suffix(site)).map(str::trim_end);
    let bare = bare.and_then(|title| title.strip_suffix(BETWEEN)).map(str::trim_end);
    let bare = bare.filter(|bare| !bare.is_empty()).unwrap_or(title);
    heading.filter(|heading| is_part(title, heading)).unwrap_or_else(|| bare.to_owned())
}

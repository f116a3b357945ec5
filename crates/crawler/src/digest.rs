mod links;

use self::links::{Links, Step};
use crate::limits::SITEMAP_LEVELS;
use crate::page_text::{self, PageText};
use crate::response::{Target, target_of};
use crate::sitemap;
use crate::{CrawlConfig, LostPage, ParseJob, Parsed};
use archive::{Body, Capture, Truncation};
use corpus::{Row, Terms};
use frontier::{Fingerprint, Kind, Yield};
use page::{
    Cut, Directives, Document, Header, LinkKind, LinkKinds, Page, PageKind, Room, Settings, Unpacked,
};
use prose::About;
use robots::{AiTxt, Listing, Preferences, Reservations, SitemapTotals};
use std::borrow::Cow;
use std::io;
use stdx::WallTime;
use weburl::Url;

/// The bytes of a capture and what the archive knows of them.
#[derive(Debug, Clone)]
pub struct Material<'a> {
    /// The URL that was requested.
    pub url: &'a str,
    /// When the request was sent.
    pub started: WallTime,
    /// Status code.
    pub status: u16,
    /// Status line and headers.
    pub response_head: &'a [u8],
    /// The body as archived.
    pub body: &'a Body,
    /// Why the body was cut by the fetch, if it was.
    pub truncated: Option<&'a str>,
    /// What the robots.txt in force said of its use.
    pub usage: Option<&'a str>,
    /// `urn:uuid:…` of the response record.
    pub record_id: String,
    /// The WARC file that holds it.
    pub warc_file: String,
}

impl<'a> Material<'a> {
    /// A capture as the parser wants it.
    pub fn of(capture: &'a Capture, record_id: String, warc_file: String) -> Self {
        let content = capture.content();
        Self {
            url: &capture.url,
            started: capture.started,
            status: content.status,
            response_head: content.head,
            body: content.body,
            truncated: capture.truncated.map(Truncation::name),
            usage: capture.usage.as_deref(),
            record_id,
            warc_file,
        }
    }
}

/// What a parse gives: an event for the machine and a row for the corpus.
#[derive(Debug)]
pub struct Digested {
    /// For the machine.
    pub parsed: Parsed,
    /// For the corpus.
    pub row: Option<Row>,
}

impl Digested {
    /// What a capture gives of which nothing can be known.
    pub fn nothing(job: &ParseJob) -> Self {
        Self { parsed: Parsed::nothing(job.capture), row: None }
    }

    /// What a capture gives whose answer can't be read back.
    pub fn lost(job: &ParseJob, page: LostPage) -> Self {
        Self { parsed: Parsed { lost: Some(page), ..Parsed::nothing(job.capture) }, row: None }
    }
}

/// Parses one capture: links in scope, and the row of a page. A pure function, run by a pool; fails only where the disk
/// does, since the web is what it is. `room` is for its body, and can be used again.
pub fn digest(
    job: &ParseJob,
    material: &Material<'_>,
    config: &CrawlConfig,
    room: &mut Room,
) -> io::Result<Digested> {
    let Ok(url) = Url::parse(material.url) else { return Ok(Digested::nothing(job)) };
    let mut links = Links::new(&job.rules, config.link_bytes);
    match (target_of(material.status, material.response_head, &url), job.kind) {
        (Target::There(target), kind) => {
            links.add(&target, Step::Redirect, kind);
            Ok(links.into_digested(job, &url, Some(Yield::Nothing), None))
        }
        (Target::Nowhere, _) => Ok(Digested::nothing(job)),
        (Target::Here, Kind::Page) if matches!(material.status, 404 | 410) => {
            digest_absence(job, material, config, room, &url, links)
        }
        _ if !matches!(material.status, 200..=299) => Ok(Digested::nothing(job)),
        (Target::Here, Kind::Sitemap) if is_preference_file(&url) => Ok(Digested::nothing(job)),
        (Target::Here, Kind::Sitemap) => digest_sitemap(job, material, config, room, &url, links),
        (Target::Here, Kind::Page) => digest_page(job, material, config, room, &url, links),
    }
}

/// It lists nothing.
fn is_preference_file(url: &Url) -> bool {
    [Reservations::PATH, AiTxt::PATH].contains(&url.request_target())
}

/// A page that came instead is read as one: whoever has no sitemap any more may lead to what he has, which nobody will ask for again.
fn digest_sitemap(
    job: &ParseJob,
    material: &Material<'_>,
    config: &CrawlConfig,
    room: &mut Room,
    url: &Url,
    mut links: Links<'_>,
) -> io::Result<Digested> {
    let read = read_sitemap(job, material, config, url, &mut links)?;
    if read.is_html || (read.kept == 0 && is_declared_html(material)) {
        return digest_page(job, material, config, room, url, links);
    }
    Ok(links.into_digested(job, url, None, None))
}

/// Takes in what it lists. An index lists sitemaps, and not indexes without end (sitemaps.org, "using Sitemap index files").
fn read_sitemap(
    job: &ParseJob,
    material: &Material<'_>,
    config: &CrawlConfig,
    url: &Url,
    links: &mut Links<'_>,
) -> io::Result<SitemapTotals> {
    let leads_on = job.kind == Kind::Page || job.depth < SITEMAP_LEVELS;
    let cap = config.sitemap_bytes() as usize;
    sitemap::read(material, coding_of(material).as_deref(), cap, |entry, totals| {
        let kind = if totals.listing == Listing::Sitemaps { Kind::Sitemap } else { Kind::Page };
        let base = totals.base.as_ref().and_then(|base| url.join(base).ok());
        let target = base.as_ref().unwrap_or(url).join(&entry.loc);
        let is_wanted = job.wants.links && (kind == Kind::Page || leads_on);
        if let Some(target) = target.ok().filter(|_| is_wanted) {
            links.add(&target, Step::Link, kind);
        }
    })
}

fn is_declared_html(material: &Material<'_>) -> bool {
    crate::response::content_type(material.response_head).as_deref() == Some("text/html")
}

fn coding_of(material: &Material<'_>) -> Option<String> {
    crate::response::codings(material.response_head)
}

/// Parses a page, and has something made of it, its headers and its bytes.
fn read<T>(
    material: &Material<'_>,
    config: &CrawlConfig,
    room: &mut Room,
    url: &Url,
    make: impl FnOnce(Page, &[Header<'_>], &Unpacked<'_>) -> T,
) -> io::Result<T> {
    let lines: Vec<Cow<'_, str>> =
        warc::header_lines(material.response_head).map(warc::header_text).collect();
    let headers = headers(&lines);
    let settings = settings(config);
    let body = &unpacked(material, &settings.limits, room)?;
    let page = page::parse_unpacked(&Document { url, headers: &headers, body }, &settings);
    Ok(make(page, &headers, body))
}

fn digest_page(
    job: &ParseJob,
    material: &Material<'_>,
    config: &CrawlConfig,
    room: &mut Room,
    url: &Url,
    mut links: Links<'_>,
) -> io::Result<Digested> {
    read(material, config, room, url, |mut page, headers, body| {
        let terms = terms_of(&page, headers, material);
        let found = std::mem::take(&mut page.links);
        // As another form of a page (RFC 6596), what is for no index, a feed, and a body that nobody has read do not.
        let stands_for_itself =
            !page.canonical.as_ref().is_some_and(|canonical| links.is_form_of(canonical, url))
                && !page.directives.has(Directives::NOINDEX)
                && page.kind != PageKind::Feed
                && !has_head_only(material);
        let may_follow = !page.directives.has(Directives::NOFOLLOW);
        if job.wants.links {
            links.take_in(found, may_follow);
        }
        if job.wants.links && may_follow && page.kind == PageKind::Feed {
            read_sitemap(job, material, config, url, &mut links)?;
        }
        let simhash = page::fingerprint(&page.text);
        let gave =
            if stands_for_itself { Yield::Content(says(material.body, simhash)) } else { Yield::Nothing };
        let has_text = page.kind.has_text() && !has_head_only(material);
        let row = (job.wants.row && has_text).then(|| {
            let about = page_text::put(&mut page, body, config.text);
            let is_visible = config.text == PageText::Visible;
            let simhash = if is_visible { simhash } else { page::fingerprint(&page.text) };
            Row { simhash, ..row_of(job, material, headers, page, Statements { about, terms }) }
        });
        Ok(links.into_digested(job, url, Some(gave), row))
    })?
}

/// What a site says where there is no page, to know it again where it says so with a 200. Links of such a page are left aside: they are
/// those of all its pages.
fn digest_absence(
    job: &ParseJob,
    material: &Material<'_>,
    config: &CrawlConfig,
    room: &mut Room,
    url: &Url,
    links: Links<'_>,
) -> io::Result<Digested> {
    read(material, config, room, url, |page, _, _| {
        let words = says(material.body, page::fingerprint(&page.text));
        let gave = if page.kind == PageKind::Other { Yield::Nothing } else { Yield::Absent(words) };
        links.into_digested(job, url, Some(gave), None)
    })
}

/// Of types that are not kept.
fn has_head_only(material: &Material<'_>) -> bool {
    material.truncated == Some(Truncation::Unspecified.name())
}

/// By its text, or where there is too little of that, by its bytes.
fn says(body: &Body, simhash: Option<u64>) -> Fingerprint {
    let bytes = || u64::from_le_bytes(*body.digest().bytes().first_chunk().expect("a digest has 20 bytes"));
    Fingerprint(simhash.unwrap_or_else(bytes))
}

/// What its owner says of its use, in the page, in its headers and in robots.txt.
fn terms_of(page: &Page, headers: &[Header<'_>], material: &Material<'_>) -> Terms {
    let mut terms = Terms::of(headers, page);
    terms.add("robots.txt", material.usage.map_or(Preferences::NONE, Preferences::of_usage));
    terms
}

/// What is said of a page, by itself and by its owner.
struct Statements {
    about: About,
    terms: Terms,
}

/// Nobody reads what stands in a link.
fn settings(config: &CrawlConfig) -> Settings<'_> {
    let limits = page::Limits {
        parsed_bytes: config.parse_bytes as usize,
        link_bytes: config.link_bytes as usize,
        anchor_bytes: 0,
        ..page::Limits::default()
    };
    let kinds = LinkKinds::PAGES.with(LinkKinds::of(&[LinkKind::Edit]));
    Settings { limits, agent: &config.agent, kinds }
}

fn unpacked<'a>(
    material: &Material<'a>,
    limits: &page::Limits,
    room: &'a mut Room,
) -> io::Result<Unpacked<'a>> {
    let coding = coding_of(material);
    match material.body.held() {
        Some(bytes) => Ok(Unpacked::of(bytes, coding.as_deref(), limits, room)),
        None => Unpacked::read(&|| material.body.read(), coding.as_deref(), limits),
    }
}

fn headers<'a>(lines: &'a [Cow<'_, str>]) -> Vec<Header<'a>> {
    let fields = lines.iter().filter_map(|line| line.split_once(':'));
    fields.map(|(name, value)| Header { name: name.trim(), value: value.trim() }).collect()
}

fn row_of(
    job: &ParseJob,
    material: &Material<'_>,
    headers: &[Header<'_>],
    page: Page,
    said: Statements,
) -> Row {
    let types = headers.iter().filter(|h| h.name.eq_ignore_ascii_case("content-type"));
    let content_type = page::declared_type(types.map(|h| h.value));
    let cut = page.cut.names().next();
    Row {
        capture: job.capture.0,
        id: material.record_id.clone(),
        url: material.url.to_owned(),
        status: material.status,
        fetched: material.started,
        title: page.title,
        language: page.language.as_ref().map(|language| language.iso_639_1.to_owned()),
        language_score: page.language.as_ref().map_or(0.0, |language| language.confidence),
        text: page.text,
        digest: material.body.digest().to_string(),
        content_type: content_type.map(page::essence).unwrap_or_default(),
        charset: page.charset,
        depth: job.depth,
        warc_file: material.warc_file.clone(),
        warc_offset: job.location.response_offset,
        warc_length: job.location.response_length,
        truncated: material
            .truncated
            .or((page.cut != Cut::NOTHING).then(|| cut.unwrap_or("cut")))
            .map(str::to_owned),
        author: said.about.author,
        published: said.about.date,
        site: said.about.site,
        simhash: None,
        preferences: said.terms.written(),
        license: said.terms.license,
    }
}

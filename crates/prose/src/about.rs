//! What a page says about itself: in its head, as JSON-LD, and beside its title.

mod byline;
mod date;
mod json_ld;
mod names;
mod others;

use crate::head::Head;
use crate::limits::LABEL_BYTES;
use crate::page::Page;
use crate::titles::{is_part, without_site};
use byline::Byline;
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

pub(crate) fn of(page: &Page<'_>, head: &Head<'_>, title: Option<usize>) -> About {
    let stated = json_ld::read(&head.json_ld);
    Sources { head, stated, page, heading: title, byline: Byline::of(page, title) }.about()
}

/// Where a page says something about itself.
struct Sources<'t, 'a> {
    head: &'t Head<'a>,
    stated: Stated,
    page: &'t Page<'a>,
    /// The block that is the title.
    heading: Option<usize>,
    byline: Byline<'t, 'a>,
}

impl Sources<'_, '_> {
    fn about(self) -> About {
        let (site, language) = (self.site(), self.language());
        About {
            title: self.title(site.as_deref()),
            author: self.author(),
            date: self.date(Order::of(language.as_deref())),
            site,
            language,
        }
    }

    /// `A title | The site` is `A title`; so is `The site | A title` where a heading says it.
    fn title(&self, site: Option<&str>) -> Option<String> {
        let heading = self.heading.and_then(|block| label(&self.page.line(block)));
        let of_page = self.head.title.and_then(label);
        let others = || self.stated.title.clone().or_else(|| heading.clone()).or_else(|| of_page.clone());
        let title = first(self.head, TITLES).or_else(others)?;
        // Many call the whole of the page's title its title for others.
        let is_whole = of_page.as_ref() == Some(&title);
        let bare = heading.filter(|heading| is_whole && is_part(&title, heading));
        let named = || site.and_then(|site| without_site(&title, site)).map(str::to_owned);
        bare.or_else(named).or(Some(title))
    }

    fn author(&self) -> Option<String> {
        let metas = AUTHORS.iter().filter_map(|name| meta(self.head, name));
        // Many give the address of a profile.
        let mut named = metas.filter(|name| !name.contains("://")).map(|name| names::name(&name));
        let stated = self.stated.author.clone();
        stated.or_else(|| named.find(|names| names::are_names(names))).or_else(|| self.byline.author())
    }

    fn date(&self, order: Order) -> Option<String> {
        let stated = self.stated.date.iter().cloned();
        let metas = DATES.iter().filter_map(|name| meta(self.head, name));
        let found = stated.chain(metas).find_map(|text| date::find(&text, order));
        found.or_else(|| self.byline.date(order))
    }

    fn site(&self) -> Option<String> {
        first(self.head, SITES).or_else(|| self.stated.site.clone())
    }

    fn language(&self) -> Option<String> {
        let claimed = self.head.lang.and_then(label).or_else(|| first(self.head, LANGUAGES));
        claimed.or_else(|| self.stated.language.clone()).map(|tag| tag.replace('_', "-"))
    }
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

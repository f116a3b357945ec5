use super::Terms;
use crate::captures::{Capture, bracketed, headers};
use page::{Directives, Document, LinkKinds, Rel, Settings};
use robots::{Preferences, Use};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What one response says of its own use.
#[derive(Serialize, Deserialize)]
pub(super) struct Notice {
    /// `<urn:uuid:…>`.
    pub(super) id: String,
    pub(super) url: String,
    pub(super) terms: Terms,
}

impl Notice {
    pub(super) fn of(capture: &Capture) -> Self {
        let head = capture.head();
        let headers = headers(&head);
        let document = Document { url: &capture.url, headers: &headers, body: capture.http().payload };
        let mut terms = Terms::default();
        for (name, place) in
            [("content-usage", "Content-Usage header"), ("content-signal", "Content-Signal header")]
        {
            document.all(name).for_each(|value| terms.add(place, Preferences::of_usage(value)));
        }
        let reservations = document.all("tdm-reservation").map(Preferences::of_tdm_reservation);
        reservations.for_each(|said| terms.add("tdm-reservation header", said));
        of_page(&document, &mut terms);
        Self { id: bracketed(capture.id()), url: capture.url.as_str().to_owned(), terms }
    }
}

/// What stands in the page, and in the header that says the same.
fn of_page(document: &Document<'_>, terms: &mut Terms) {
    let settings = Settings { kinds: LinkKinds::PAGES, ..Settings::default() };
    let page = page::parse(document, &settings);
    if page.directives.has(Directives::NOAI) {
        terms.add("noai", Preferences::refusing(&[Use::Train, Use::Input]));
    }
    if let Some(reserved) = &page.terms.tdm_reservation {
        terms.add("tdm-reservation meta", Preferences::of_tdm_reservation(reserved));
    }
    let linked = page.links.iter().find(|link| link.rel.has(Rel::LICENSE));
    terms.license = linked.map(|link| link.url.as_str().to_owned()).or(page.terms.license);
}

/// The body of a robots.txt, without its coding.
pub(super) fn body(capture: &Capture) -> Cow<'_, [u8]> {
    let http = capture.http();
    let coding = http.header("content-encoding");
    page::decode_body(http.payload, coding.as_deref(), robots::limits::ROBOTS_BYTES).bytes
}

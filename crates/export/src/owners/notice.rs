use super::host_file::ROBOTS_TXT;
use super::{OwnersConfig, Terms};
use crate::captures::{Capture, bracketed, headers, limits};
use page::{Document, LinkKinds, Settings};
use robots::Preferences;
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
    /// As the crawl reads it.
    pub(super) fn of(capture: &Capture, config: &OwnersConfig<'_>) -> Self {
        let fields = capture.fields();
        let headers = headers(&fields);
        let document = Document { url: &capture.url, headers: &headers, body: capture.http().payload };
        let settings =
            Settings { kinds: LinkKinds::PAGES, agent: config.agent, limits: limits(config.parsed_bytes) };
        let mut terms = Terms::of(&headers, &page::parse(&document, &settings));
        let usage = capture.usage.as_deref().map_or(Preferences::NONE, Preferences::of_usage);
        terms.add(ROBOTS_TXT, usage);
        Self { id: bracketed(capture.id()), url: capture.url.as_str().to_owned(), terms }
    }
}

/// The body of a robots.txt, without its coding.
pub(super) fn body(capture: &Capture) -> Cow<'_, [u8]> {
    let http = capture.http();
    let coding = http.list("content-encoding");
    page::decode_body(http.payload, coding.as_deref(), robots::limits::ROBOTS_BYTES).bytes
}

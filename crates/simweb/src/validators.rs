use crate::config::HostMix;
use crate::draw::falls_on;
use crate::respond::Header;

/// What a host says of when its pages changed; none of them ever does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validators {
    /// An entity tag of each answer, which holds.
    Tags,
    /// A date of each answer and no tag.
    Dates,
    /// As tags, but whoever asks for a page without any is told that nothing has changed.
    Eager,
    /// Another tag at every moment.
    Restless,
    /// One tag for all that it has.
    Shared,
}

/// What a client says that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Conditions<'a> {
    /// The If-None-Match header.
    pub if_none_match: Option<&'a str>,
    /// The If-Modified-Since header.
    pub if_modified_since: Option<&'a str>,
}

impl Validators {
    pub(crate) const LIES: [Self; 3] = [Self::Eager, Self::Restless, Self::Shared];

    pub(crate) fn drawn(pick: u64, hosts: &HostMix) -> Self {
        if falls_on(pick, hosts.liars) {
            Self::LIES[(pick >> 32) as usize % Self::LIES.len()]
        } else if falls_on(pick >> 16, hosts.dated) {
            Self::Dates
        } else {
            Self::Tags
        }
    }

    /// The field that stands with this content at this moment.
    pub(crate) fn field(self, content: u64, time_ms: u64) -> Header {
        match self {
            Self::Tags | Self::Eager => Header { name: "etag", value: format!("\"{content:016x}\"") },
            Self::Dates => Header { name: "last-modified", value: date(content) },
            Self::Restless => {
                Header { name: "etag", value: format!("\"{:016x}\"", content.rotate_left(8) ^ time_ms) }
            }
            Self::Shared => Header { name: "etag", value: "\"1\"".to_owned() },
        }
    }

    /// Whether it says 304 to a client that has this, where the field would be `field`.
    pub(crate) fn says_unchanged(self, field: &Header, conditions: Conditions<'_>) -> bool {
        let Conditions { if_none_match, if_modified_since } = conditions;
        match self {
            Self::Dates => if_modified_since == Some(field.value.as_str()),
            Self::Eager if conditions == Conditions::default() => true,
            _ => if_none_match == Some(field.value.as_str()),
        }
    }
}

/// Some second of a Monday, as HTTP writes it.
fn date(content: u64) -> String {
    let second = content % 86_400;
    format!("Mon, 02 Nov 2020 {:02}:{:02}:{:02} GMT", second / 3_600, second / 60 % 60, second % 60)
}

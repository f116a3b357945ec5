use crate::{Address, Kind, Origin};
use serde::{Deserialize, Serialize};
use std::fmt;
use stdx::Timestamp;
use weburl::KeyHash;

/// One attempt and how it ended, as the journal has it. Holds every moment it needs, so that replay gives the same
/// state as the first time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// What was asked for.
    pub subject: Subject,
    /// The URL of the request, or of the name that was to be resolved.
    pub url: String,
    /// The contact; `None` when the name did not resolve and nobody was contacted.
    pub contact: Option<Contact>,
    /// When it was over.
    pub at: Timestamp,
    /// How it ended.
    pub end: End,
}

/// What an attempt was for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// A URL of the frontier, with all that is needed to queue it again: in a replay its entry may be anywhere.
    Page(PageSubject),
    /// The robots.txt of an authority.
    Robots {
        /// Whose rules.
        authority: String,
    },
    /// The name of a host.
    Name,
}

/// A URL of the frontier as it was when it was drawn; its form is [`Attempt::url`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSubject {
    /// Its identity.
    pub key: KeyHash,
    /// Links from the nearest seed.
    pub depth: u32,
    /// Redirects behind it.
    pub hops: u8,
    /// Attempts that failed before this one.
    pub attempts: u8,
    /// Page or sitemap.
    pub kind: Kind,
    /// How it was found.
    pub origin: Origin,
}

/// A moment in which a server was contacted: what the politeness ledger is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// The address and how it may be reached.
    pub address: Address,
    /// Start of the connection or request.
    pub started: Timestamp,
    /// End of the last byte, or giving up.
    pub ended: Timestamp,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// With a response.
    Captured(Response),
    /// Without one.
    Failed(Failure),
    /// With one that counts for none, and that asks to be left alone for a while.
    PutOff {
        /// Why it counts for none.
        failure: Failure,
        /// `Retry-After`, relative to the end of the contact.
        retry_after_ms: u64,
    },
}

impl End {
    /// Why there is no response, if there is none.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Captured(_) => None,
            Self::Failed(failure) | Self::PutOff { failure, .. } => Some(failure),
        }
    }
}

/// What scheduling needs to know of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response {
    /// Status code.
    pub status: u16,
    /// Body bytes kept.
    pub bytes: u64,
    /// `Content-Type` without parameters, lower case.
    pub content_type: Option<String>,
    /// Where it redirects to.
    pub redirect: Option<Redirect>,
    /// `Retry-After`, already relative to the end of the contact.
    pub retry_after_ms: Option<u64>,
    /// Whether the body was cut.
    pub truncated: bool,
}

/// A redirect's target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Redirect {
    /// Same key: the same URL goes on in this form.
    SameKey(String),
    /// Another key: a discovery.
    OtherKey(String),
    /// Not a URL that could be followed.
    Nowhere,
    /// Same key, and once more the form that its redirects began with.
    Circle(String),
    /// The very form that was asked for, with something to show that there was not before: a cookie.
    Again,
}

/// Why there is no response, and whose fault that is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// The particulars, for people.
    pub detail: String,
}

/// What can go wrong between a URL and its response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FailureKind {
    /// The name does not exist or has no address.
    NameNotFound,
    /// The resolver did not answer, or answered with an error.
    NameServer,
    /// Every address is one that may not be contacted (private, loopback, link-local …).
    AddressRefused,
    /// Nobody listens.
    ConnectRefused,
    /// The connection could not be made in time, or the network says unreachable.
    ConnectTimeout,
    /// The connection was made but the response head did not come in time.
    ResponseTimeout,
    /// The server closed or reset the connection before the end of the head.
    Disconnected,
    /// The certificate does not verify.
    Certificate,
    /// TLS failed otherwise.
    Tls,
    /// The response is not HTTP, or its head breaks a limit.
    Protocol,
    /// Something on our side: too few descriptors, a bug.
    Local,
    /// Somebody in front of the host wants proof of a person, or turned us away, and the page was not served.
    Blocked,
    /// A 304 to a request that asked for the page as it is, or with another validator than was sent.
    NotModified,
    /// Nobody can be reached from here: the machine's network, its name servers or its proxy are gone. Says nothing of whoever was asked for.
    Offline,
}

/// Whose fault a failure is; scheduling branches on this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Blame {
    /// The host as a whole: its name, its address, its certificate.
    Host,
    /// Whoever stands in front of the host, and may let the next URL through.
    Gate,
    /// This URL, or this moment at this host.
    Url,
    /// A rule of ours or the operator's.
    Policy,
    /// This program or its machine.
    Ours,
}

impl FailureKind {
    /// Whose fault it is.
    pub fn blame(self) -> Blame {
        match self {
            Self::NameNotFound | Self::NameServer | Self::ConnectRefused | Self::ConnectTimeout => {
                Blame::Host
            }
            Self::Certificate | Self::Tls => Blame::Host,
            Self::Blocked => Blame::Gate,
            Self::ResponseTimeout | Self::Disconnected | Self::Protocol | Self::NotModified => Blame::Url,
            Self::AddressRefused => Blame::Policy,
            Self::Local | Self::Offline => Blame::Ours,
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NameNotFound => "name-not-found",
            Self::NameServer => "name-server",
            Self::AddressRefused => "address-refused",
            Self::ConnectRefused => "connect-refused",
            Self::ConnectTimeout => "connect-timeout",
            Self::ResponseTimeout => "response-timeout",
            Self::Disconnected => "disconnected",
            Self::Certificate => "certificate",
            Self::Tls => "tls",
            Self::Protocol => "protocol",
            Self::Local => "local",
            Self::Blocked => "blocked",
            Self::NotModified => "not-modified",
            Self::Offline => "offline",
        })
    }
}

impl Attempt {
    /// Whether it is the first at its page.
    pub(crate) fn is_first(&self) -> bool {
        matches!(&self.subject, Subject::Page(page) if page.attempts == 0)
    }

    /// Whether the response, if there is one, is the final answer for its URL: no retry and no other form of itself.
    pub fn is_answer(&self) -> bool {
        let End::Captured(response) = &self.end else { return false };
        let goes_on =
            matches!(response.redirect, Some(Redirect::SameKey(_) | Redirect::Circle(_) | Redirect::Again));
        !goes_on && crate::retry::status_meaning(response.status) == crate::retry::StatusMeaning::Final
    }
}

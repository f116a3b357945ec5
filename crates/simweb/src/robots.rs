use crate::limits;
use std::fmt::Write;

/// The robots.txt of a host. Text and verdict stand side by side here, so that the truth needs no parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RobotsClass {
    /// 404: everything is allowed.
    Missing,
    /// 403: everything is allowed (RFC 9309 §2.3.1.3).
    Denied,
    /// 200 without a byte.
    Empty,
    /// An empty `Disallow`.
    AllowAll,
    /// `/private/` is forbidden, but for `/private/open/`.
    Some,
    /// Wildcards and `$`: print views and PDF outside `/paper/` are forbidden.
    Wildcards,
    /// A crawl-delay and nothing else.
    Delay,
    /// A group for `drumlin`, which forbids `/members/`; all others are forbidden everything.
    Group,
    /// A redirect to `/robots-policy.txt`, whose rules are those of [`RobotsClass::Some`].
    Redirected,
    /// A redirect to the `/robots-policy.txt` of a host of any domain, with the same rules.
    Elsewhere,
    /// An HTML page with status 200 and not one rule.
    Page,
    /// 600 KiB, the rule that matters first: `/private/` is forbidden.
    Huge,
    /// A byte-order mark, lone CRs, odd case, a misspelt `disalow: /private/`, a rule before any group.
    Messy,
    /// `Disallow: /`.
    DisallowAll,
    /// 503 at all times: everything is forbidden (RFC 9309 §2.3.1.4).
    Unavailable,
    /// 503 in one window of three, else the rules of [`RobotsClass::Some`].
    Faltering,
    /// A crawl-delay that nobody can wait for: as good as forbidden.
    Stalled,
}

/// Whether robots.txt lets the agent `drumlin` fetch a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It may be fetched.
    Allowed,
    /// It must not be.
    Forbidden,
}

impl RobotsClass {
    /// Those that leave a host's ordinary pages open.
    pub(crate) const OPEN: [Self; 11] = [
        Self::Denied,
        Self::Empty,
        Self::AllowAll,
        Self::Some,
        Self::Wildcards,
        Self::Delay,
        Self::Group,
        Self::Redirected,
        Self::Page,
        Self::Huge,
        Self::Messy,
    ];

    /// Those that forbid everything.
    pub(crate) const CLOSED: [Self; 2] = [Self::DisallowAll, Self::Unavailable];

    /// The status of `/robots.txt`.
    pub fn status(self) -> u16 {
        match self {
            Self::Missing => 404,
            Self::Denied => 403,
            Self::Redirected | Self::Elsewhere => 301,
            Self::Unavailable => 503,
            _ => 200,
        }
    }

    /// What these rules say of a path with its query, to the agent `drumlin`.
    pub fn verdict(self, target: &str) -> Verdict {
        let private = target.starts_with("/private/");
        let forbidden = match self {
            Self::Some | Self::Redirected | Self::Elsewhere | Self::Faltering => {
                private && !target.starts_with("/private/open/")
            }
            Self::Huge | Self::Messy => private,
            Self::Wildcards => {
                target.ends_with("print=1") || (target.ends_with(PDF) && !target.starts_with("/paper/"))
            }
            Self::Group => target.starts_with("/members/"),
            Self::DisallowAll | Self::Unavailable | Self::Stalled => true,
            Self::Missing | Self::Denied | Self::Empty | Self::AllowAll | Self::Delay | Self::Page => false,
        };
        if forbidden { Verdict::Forbidden } else { Verdict::Allowed }
    }

    /// The body; `sitemap` is the URL of the host's sitemap.
    pub(crate) fn text(self, crawl_delay_s: u32, sitemap: &str) -> String {
        let with_sitemap = |rules: &str| format!("{rules}\nSitemap: {sitemap}\n");
        match self {
            Self::Missing | Self::Denied | Self::Unavailable => "nothing to see\n".to_owned(),
            Self::Empty => String::new(),
            Self::AllowAll => with_sitemap("User-agent: *\nDisallow:\n"),
            Self::Some | Self::Redirected | Self::Elsewhere | Self::Faltering => with_sitemap(SOME),
            Self::Wildcards => with_sitemap(WILDCARDS),
            Self::Delay => format!("User-agent: *\nCrawl-delay: {crawl_delay_s}\n"),
            Self::Stalled => STALLED.to_owned(),
            Self::Group => with_sitemap(GROUP),
            Self::Page => PAGE.to_owned(),
            Self::Huge => huge(),
            Self::Messy => MESSY.to_owned(),
            Self::DisallowAll => "User-agent: *\nDisallow: /\n".to_owned(),
        }
    }
}

/// A rule ending in `.pdf$` is case-sensitive, as all of robots.txt is.
const PDF: &str = ".pdf";
const SOME: &str = "# the usual\nUser-agent: *\nDisallow: /private/\nAllow: /private/open/\n";
const WILDCARDS: &str = "User-agent: *\nDisallow: /*print=1$\nDisallow: /*.pdf$\nAllow: /paper/*.pdf$\n";
const GROUP: &str = "User-agent: *\nDisallow: /\n\nUser-agent: Drumlin\nDisallow: /members/\n";
const STALLED: &str = "User-agent: *\nCrawl-delay: 86400\n";
const PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Welcome</title></head>\n<body><p>This server has no such \
                    file, so here is the front page.</p></body></html>\n";
const MESSY: &str = "\u{feff}Disallow: /\rUSER-AGENT : *\rdisalow: /private/   # not for you\rfavourite-colour: green\r\
                     Noindex: /\rdisallow\r";

fn huge() -> String {
    let mut text = String::from("User-agent: *\nDisallow: /private/\n");
    let mut number = 0;
    while text.len() < limits::HUGE_ROBOTS_BYTES {
        writeln!(text, "Disallow: /no-such-folder-{number}/*/index-{number}.html$")
            .expect("a string takes everything");
        number += 1;
    }
    text
}

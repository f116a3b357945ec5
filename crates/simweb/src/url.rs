use crate::character::{Character, PathStyle, Scheme, Trap};
use crate::host::{write_name, write_number};
use crate::limits;
use crate::links::{Dress, Link, may_be_copied};
use crate::path::{read_target, write_target};
use crate::place::{Leaf, Place, What};
use crate::web::{Web, default_port};
use std::borrow::Cow;
use std::fmt::Write;

/// A URL taken apart, just far enough for the ones that occur here.
pub(crate) struct Parts<'a> {
    pub(crate) scheme: Scheme,
    pub(crate) host: &'a str,
    pub(crate) port: Option<u16>,
    /// Path and query, at least `/`.
    pub(crate) target: &'a str,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(url: &'a str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let scheme = match scheme {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return None,
        };
        let rest = rest.split('#').next()?;
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, target) = rest.split_at(end);
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(port.parse().ok()?)),
            None => (authority, None),
        };
        Some(Self { scheme, host, port, target: if target.is_empty() { "/" } else { target } })
    }
}

impl Web {
    /// Appends the URL of a place.
    pub(crate) fn write_url(&self, place: &Place, out: &mut String) {
        self.write_authority(place, out);
        self.write_target(&self.character(place.host), place, out);
    }

    /// Appends scheme, host and port.
    pub(crate) fn write_authority(&self, place: &Place, out: &mut String) {
        out.extend([place.scheme.as_str(), "://"]);
        write_name(&self.config, place.host, out);
        let port = self.port(place.scheme);
        if port != default_port(place.scheme) {
            out.push(':');
            write_number(out, u64::from(port));
        }
    }

    /// Appends path and query, with the session identifier.
    pub(crate) fn write_target(&self, host: &Character, place: &Place, out: &mut String) {
        let start = out.len();
        write_target(self.config.seed, host, place.what, out);
        if let Some(session) = place.session {
            let joint = if out[start..].contains('?') { '&' } else { '?' };
            write!(out, "{joint}sid={session:016x}{:016x}", session.rotate_left(17) ^ self.config.seed)
                .expect("a string takes everything");
        }
    }

    /// Appends path and query of a link, dressed as it is.
    pub(crate) fn write_dressed(&self, host: &Character, link: &Link, out: &mut String) {
        let start = out.len();
        self.write_target(host, &link.place, out);
        match link.dress {
            Dress::Plain => {}
            Dress::Tracked => {
                let joint = if out[start..].contains('?') { '&' } else { '?' };
                out.push(joint);
                out.push_str("utm_source=feed");
            }
            Dress::Swapped => swap(host, link, start, out),
        }
    }

    /// What a path with its query names on a host, and under which session.
    pub(crate) fn read(&self, host: &Character, target: &str) -> (What, Option<u64>) {
        if target.len() > limits::URL_BYTES {
            return (What::Nothing, None);
        }
        let target = upper_case_escapes(target);
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let mut pairs: Vec<_> = query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect();
        let session = take_session(host, &mut pairs);
        pairs.retain(|(name, _)| !name.starts_with("utm_"));
        let what = read_target(self.config.seed, host, path, &pairs);
        let there = self.is_there(host, what);
        if there { (what, session) } else { (What::Nothing, None) }
    }

    fn is_there(&self, host: &Character, what: What) -> bool {
        let pages = self.layout.pages(&self.config, host.original);
        match what {
            What::Leaf(Leaf::Copy, index) => index < pages && may_be_copied(index),
            What::Page(index) | What::Leaf(_, index) => index < pages,
            What::Hop { left, page } => (1..=limits::CHAIN_HOPS).contains(&left) && page < pages,
            What::Month(_) => host.trap == Some(Trap::Calendar),
            What::Maze(_) => host.trap == Some(Trap::Maze),
            What::SitemapPart(part) => part < crate::sitemap::parts(pages),
            What::Robots | What::Policy | What::Sitemap => true,
            What::Nothing => false,
        }
    }
}

/// Writes the same differently: parameters in the other order, escapes in lower case.
fn swap(host: &Character, link: &Link, start: usize, out: &mut String) {
    let What::Page(index) = link.place.what else { return };
    match host.paths {
        PathStyle::Query if index > 0 && link.place.session.is_none() => {
            out.truncate(start);
            out.extend(["/article?lang=", host.language.code(), "&id="]);
            write_number(out, index);
        }
        PathStyle::Wiki => {
            let lower = lower_escapes(&out[start..]);
            out.replace_range(start.., &lower);
        }
        _ => {}
    }
}

fn pair(text: &str) -> (&str, &str) {
    text.split_once('=').unwrap_or((text, ""))
}

fn take_session(host: &Character, pairs: &mut Vec<(&str, &str)>) -> Option<u64> {
    if !matches!(host.trap, Some(Trap::SessionsServed | Trap::SessionsCleaned)) {
        return None;
    }
    let at = pairs.iter().position(|(name, _)| *name == "sid")?;
    let (_, token) = pairs.remove(at);
    u64::from_str_radix(token.get(..16)?, 16).ok()
}

fn upper_case_escapes(target: &str) -> Cow<'_, str> {
    if !target.contains('%') {
        return Cow::Borrowed(target);
    }
    Cow::Owned(map_escapes(target, |digit| digit.to_ascii_uppercase()))
}

fn lower_escapes(target: &str) -> String {
    map_escapes(target, |digit| digit.to_ascii_lowercase())
}

/// Applies `change` to the two characters after every `%`.
fn map_escapes(target: &str, change: impl Fn(char) -> char) -> String {
    let mut out = String::with_capacity(target.len());
    let mut digits = 0;
    for c in target.chars() {
        out.push(if digits > 0 { change(c) } else { c });
        digits = if c == '%' { 2 } else { i32::max(digits - 1, 0) };
    }
    out
}

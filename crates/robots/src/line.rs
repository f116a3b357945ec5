use crate::rules::RuleKind;
use crate::text::{is_http, trim};

/// What one line of a robots.txt says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Directive<'a> {
    /// `User-agent: …`
    UserAgent(&'a [u8]),
    /// `Allow: …` or `Disallow: …`; the pattern may be empty.
    Rule(RuleKind, &'a [u8]),
    /// `Crawl-delay: …` (not in RFC 9309)
    CrawlDelay(&'a [u8]),
    /// `Sitemap: …` (sitemaps.org)
    Sitemap(&'a [u8]),
    /// `Content-Usage: …` (draft-ietf-aipref-attach) or `Content-Signal: …` (contentsignals.org)
    Usage(&'a [u8]),
}

/// Reads one line as leniently as Google's parser does, and a little more: comments and HTML tags around it are
/// dropped, the usual misspellings understood, the colon may be missing, and all but the URL of a sitemap. `None` for a
/// line that says nothing.
pub(crate) fn directive(line: &[u8]) -> Option<Directive<'_>> {
    let line = without_tags(without_comment(line));
    with_colon(line).or_else(|| without_colon(line)).or_else(|| bare_sitemap(line))
}

/// Directive names as they are found, lower-case and without blanks, hyphens and underscores. A name counts if it
/// *begins* with one of these, as in Google's parser. Misspellings are Google's and crawler-commons'.
const NAMES: [(Kind, &[&str]); 6] = [
    (Kind::UserAgent, &["useragent", "usegagent", "usragent", "useagent", "usergent"]),
    (
        Kind::Disallow,
        &[
            "disallow",
            "dissallow",
            "dissalow",
            "disalow",
            "diasllow",
            "disallaw",
            "desallow",
            "dissalaw",
            "disllow",
        ],
    ),
    (Kind::Allow, &["allow"]),
    (Kind::CrawlDelay, &["crawldelay"]),
    (Kind::Sitemap, &["sitemap"]),
    (Kind::Usage, &["contentusage", "contentsignal"]),
];

/// The longest directive name, blanks and all, that is looked at.
const NAME_BYTES: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
    Usage,
}

impl Kind {
    fn of(name: &[u8]) -> Option<Self> {
        if name.len() > NAME_BYTES {
            return None;
        }
        let folded: Vec<u8> = name
            .iter()
            .filter(|b| !b.is_ascii_whitespace() && !b"-_".contains(b))
            .map(u8::to_ascii_lowercase)
            .collect();
        let begins = |names: &[&str]| names.iter().any(|known| folded.starts_with(known.as_bytes()));
        NAMES.iter().find(|(_, names)| begins(names)).map(|(kind, _)| *kind)
    }

    fn with(self, value: &[u8]) -> Directive<'_> {
        match self {
            Self::UserAgent => Directive::UserAgent(value),
            Self::Allow => Directive::Rule(RuleKind::Allow, value),
            Self::Disallow => Directive::Rule(RuleKind::Disallow, value),
            Self::CrawlDelay => Directive::CrawlDelay(value),
            Self::Sitemap => Directive::Sitemap(value),
            Self::Usage => Directive::Usage(value),
        }
    }
}

fn with_colon(line: &[u8]) -> Option<Directive<'_>> {
    let colon = memchr::memchr(b':', line)?;
    let name = &line[..colon];
    if is_in_value(name) {
        return None;
    }
    Some(Kind::of(name)?.with(trim(&line[colon + 1..])))
}

/// Whether the value has begun in front of the first colon, which is its own then: `disallow /wiki/Special:Log`, `sitemap https://…`.
fn is_in_value(before: &[u8]) -> bool {
    let last = before.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_scheme = last.eq_ignore_ascii_case(b"http") || last.eq_ignore_ascii_case(b"https");
    is_scheme || before.iter().any(|byte| matches!(byte, b'/' | b'*'))
}

/// `disallow /x`, `user agent foo`: the name is one word, or two.
fn without_colon(line: &[u8]) -> Option<Directive<'_>> {
    let one = word_end(line, 0);
    let two = word_end(line, one);
    let split_at = |at: usize| {
        let is_plural = line[..at].to_ascii_lowercase().ends_with(b"agents");
        Kind::of(&line[..at]).filter(|_| !is_plural).map(|kind| kind.with(trim(&line[at..])))
    };
    split_at(one).or_else(|| split_at(two)).filter(|directive| is_no_prose(*directive))
}

/// `https://site.test/sitemap.xml`, as crawler-commons takes it: a URL alone, whose path says what it is.
fn bare_sitemap(line: &[u8]) -> Option<Directive<'_>> {
    let is_url = is_http(line) && !line.iter().any(u8::is_ascii_whitespace);
    (is_url && path_of(line).windows(7).any(|word| word.eq_ignore_ascii_case(b"sitemap")))
        .then_some(Directive::Sitemap(line))
}

/// What stands between the authority of an http URL and its query.
fn path_of(url: &[u8]) -> &[u8] {
    let authority = memchr::memmem::find(url, b"://").map_or(url.len(), |at| at + 3);
    let start = memchr::memchr2(b'/', b'?', &url[authority..]).map_or(url.len(), |at| authority + at);
    let end = memchr::memchr(b'?', &url[start..]).map_or(url.len(), |at| start + at);
    &url[start..end]
}

/// Without its colon a directive looks like a sentence; only the unmistakable ones are taken: names of agents have two words at most. Of
/// `User agents that misbehave are banned` an agent would end the rules above it.
fn is_no_prose(directive: Directive<'_>) -> bool {
    match directive {
        Directive::Rule(_, value) => matches!(value, [b'/' | b'*', ..]),
        Directive::UserAgent(value) => {
            let two = word_end(value, word_end(value, 0));
            !value.is_empty() && matches!(trim(&value[two..]), [] | [b'(', ..])
        }
        Directive::CrawlDelay(value) | Directive::Sitemap(value) => !value.is_empty(),
        Directive::Usage(value) => value.contains(&b'='),
    }
}

fn word_end(line: &[u8], from: usize) -> usize {
    let blanks = line[from..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let start = from + blanks;
    start + line[start..].iter().take_while(|b| !b.is_ascii_whitespace()).count()
}

fn without_comment(line: &[u8]) -> &[u8] {
    &line[..memchr::memchr(b'#', line).unwrap_or(line.len())]
}

fn without_tags(line: &[u8]) -> &[u8] {
    let mut line = trim(line);
    while let [b'<', rest @ ..] = line {
        let Some(end) = memchr::memchr(b'>', rest) else { break };
        line = trim(&rest[end + 1..]);
    }
    while let [rest @ .., b'>'] = line {
        let Some(start) = memchr::memrchr(b'<', rest).filter(|start| is_tag(&rest[start + 1..])) else {
            break;
        };
        line = trim(&rest[..start]);
    }
    line
}

fn is_tag(inside: &[u8]) -> bool {
    matches!(inside.first(), Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!'))
}

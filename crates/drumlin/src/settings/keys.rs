use super::Settings;
use std::fmt::Write;
use toml::{Table, Value};

#[cfg(test)]
mod tests;

/// A table of the layout; the first has no name.
struct Section {
    name: &'static str,
    about: &'static str,
    keys: &'static [Key],
}

/// A key of it.
struct Key {
    name: &'static str,
    /// What it means and why, its unit, its limit: lines.
    about: &'static str,
    /// A value, to show how one is written while there is none.
    example: &'static str,
}

const fn key(name: &'static str, example: &'static str, about: &'static str) -> Key {
    Key { name, about, example }
}

/// The layout with every key explained, and the values that `settings` has. What has none is a line behind a bare `#`.
pub(crate) fn explained(settings: &Settings) -> String {
    let table = settings.to_table();
    let mut out = String::new();
    for section in LAYOUT {
        write_section(&mut out, section, &table);
    }
    out
}

fn write_section(out: &mut String, section: &Section, table: &Table) {
    const FITS: &str = "a string takes any text";
    let own = if section.name.is_empty() { Some(table) } else { inner(table, section.name) };
    write_about(out, section.about);
    if !section.name.is_empty() {
        writeln!(out, "[{}]", section.name).expect(FITS);
    }
    for Key { name, about, example } in section.keys {
        out.push('\n');
        write_about(out, about);
        match own.and_then(|own| own.get(*name)) {
            Some(value) => writeln!(out, "{name} = {value}").expect(FITS),
            None => writeln!(out, "#{name} = {example}").expect(FITS),
        }
    }
    out.push('\n');
}

fn inner<'a>(table: &'a Table, name: &str) -> Option<&'a Table> {
    table.get(name).and_then(Value::as_table)
}

fn write_about(out: &mut String, about: &str) {
    for line in about.lines() {
        out.push_str("# ");
        out.push_str(line);
        out.push('\n');
    }
}

const LAYOUT: &[Section] = &[
    Section {
        name: "",
        about: "Times are seconds or texts (\"250ms\", \"10m\", \"2h\"), up to a thousand years; sizes are bytes or texts (\"16M\", \"1.5G\",\n\
                in powers of 1,024), up to an exbibyte. Paths are relative to this file. A # right before a key: it is unset.",
        keys: TOP,
    },
    Section { name: "retry", about: "When failed requests are made again.", keys: RETRY },
    Section { name: "page", about: "What is kept of one response.", keys: PAGE },
    Section {
        name: "folding",
        about: "Which differences between URLs are none. A crawl that exists keeps its own: they decide what is the same URL.",
        keys: FOLDING,
    },
];

const TOP: &[Key] = &[
    key(
        "format",
        "1",
        "Version of this layout. A higher one than the program knows is refused before any key is judged.",
    ),
    key(
        "seed",
        "\"2a\"",
        "The crawl's random seed, up to 16 hexadecimal digits. Drawn when the crawl begins; a crawl that exists keeps its own.",
    ),
    key(
        "contact",
        "\"mailto:crawl@example.org\"",
        "Whom server owners can write to, in every request: a URL or an e-mail address. Required where the crawl concerns more\n\
         than one registrable domain.",
    ),
    key(
        "user_agent",
        "\"examplebot/1.0\"",
        "A product of your own instead of drumlin/<version>; robots.txt is read under its name. It may not pass for another program.",
    ),
    key(
        "scope",
        "\"domain\"",
        "How far from the seeds the crawl goes: page, prefix, host, domain, seeds (their hosts and ports) or any.",
    ),
    key(
        "depth",
        "3",
        "Links from a seed to follow. Sitemaps are left aside then, since what they name has no distance from a seed.",
    ),
    key(
        "limit",
        "10000",
        "Pages after which the crawl stops, exactly: answers with a final status, robots.txt and sitemaps apart.",
    ),
    key("size_limit", "\"10G\"", "A size: no page is begun after this many bytes of bodies."),
    key("time_limit", "\"2h\"", "A time: no page is begun after this much of one run."),
    key(
        "patience",
        "\"10m\"",
        "A time: the crawl is saved and left when nothing is due within it, so that no process waits a day for one host.",
    ),
    key(
        "profile",
        "\"default\"",
        "gentle, default or broad: what the next four are where they are not said beside it. broad is for crawls of the whole web.",
    ),
    key(
        "delay",
        "1",
        "A time: from the end of one request to a host to the start of the next. At least 0.5 s on the public internet; a longer\n\
         Crawl-delay goes over it.",
    ),
    key(
        "ip_delay",
        "0.25",
        "A time: the same for a server address, since one server may have a thousand hosts. At least 0.1 s on the public internet.",
    ),
    key(
        "domain_delay",
        "0.25",
        "A time: between two requests to a registrable domain, start to start, however many hosts and servers it has.",
    ),
    key(
        "stranger_factor",
        "1",
        "Hosts of domains that few link to are left alone up to this many times longer: nobody asked for them. From 1 to 3,600.",
    ),
    key(
        "concurrency",
        "256",
        "Requests under way at once, from 1 to 50,000; half of memory, at 1 MiB a request, bounds it too.",
    ),
    key(
        "memory",
        "\"2G\"",
        "A size: what the crawl may take. At least 64 MiB; below that one large page and one row group do not fit together.",
    ),
    key(
        "low_disk",
        "\"256M\"",
        "A size: with less free disk space nothing new is fetched, so that what is under way can still be written.",
    ),
    key(
        "include",
        "[\"/docs/\"]",
        "Regular expressions; only URLs that match one of them are crawled. Seeds need not.",
    ),
    key("exclude", "[\"/private/\"]", "Regular expressions; no URL that matches one of them is crawled."),
    key(
        "exclude_hosts",
        "\"hosts.txt\"",
        "A file of hosts, one a line, that are not crawled, nor hosts below them. The crawl keeps a copy under state/.",
    ),
    key(
        "sitemaps",
        "true",
        "Whether sitemaps are followed. Unset, they are where there is no depth and scope is not page.",
    ),
    key(
        "archive",
        "\"keep\"",
        "keep or expire: whether raw captures stay, or go once links and rows are durable. expire and depth exclude each other.",
    ),
    key(
        "text",
        "\"visible\"",
        "Which text of an HTML page the corpus gets: visible, main (the article), markdown (the article with its structure), none.",
    ),
    key("dns", "[\"192.0.2.53\"]", "DNS servers, as IP or IP:PORT. Unset: the system's."),
    key(
        "ca_file",
        "\"roots.pem\"",
        "Root certificates to trust beside those that browsers trust. The crawl keeps a copy under state/.",
    ),
    key(
        "insecure",
        "false",
        "Whether certificates that do not verify are accepted, and recorded with the page.",
    ),
    key(
        "allow_ip",
        "[\"10.0.0.0/8\"]",
        "Private ranges that may be contacted, and where delays may be 0. No globally routable address.",
    ),
];

const RETRY: &[Key] = &[
    key("base", "10", "A time: the wait after the first failure."),
    key(
        "factor",
        "3",
        "Each further wait is this many times the last, so that what is down is asked less and less. At least 1.",
    ),
    key("attempts", "5", "So many attempts before a URL is parked, from 1 to 255."),
    key("max", "\"1h\"", "A time: no wait is longer, unless the server asks for it."),
    key("overload", "60", "A time: the wait of the whole host after a 429 or 503 without Retry-After."),
];

const PAGE: &[Key] = &[
    key(
        "types",
        "[\"text/html\"]",
        "Media types whose bodies are kept: type/subtype, type/*, type/*+suffix. Of others only the headers are.",
    ),
    key(
        "body",
        "\"16M\"",
        "A size: bytes kept of a body as it is received; the rest is cut off and the capture says so.",
    ),
    key(
        "parse",
        "\"2M\"",
        "A size: decoded bytes that are parsed, so that a small body cannot unfold into a large one.",
    ),
    key("time", "120", "A time: the longest a response may take; a slower one is not worth its slot."),
];

const FOLDING: &[Key] = &[
    key("scheme", "true", "https is http."),
    key("slashes", "true", "// in a path is /."),
    key(
        "parameters",
        "true",
        "Query parameters in another order, empty ones, and b= for b make no difference.",
    ),
    key("tracking", "true", "utm_source, gclid, fbclid and their kin make no difference."),
    key("sessions", "true", "PHPSESSID, ;jsessionid= and their kin make no difference."),
];

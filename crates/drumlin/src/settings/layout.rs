//! Every key of the layout: what it means and why, what it takes, within which limits.

/// A table of the layout; the first has no name.
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) keys: &'static [Key],
}

/// A key of it.
pub(super) struct Key {
    pub(super) name: &'static str,
    /// What it means and why: lines of sentences.
    pub(super) about: &'static str,
    /// Its kind or unit, and its limits; goes on from "Takes".
    pub(super) takes: &'static str,
    /// A value, to show how one is written while there is none.
    pub(super) example: &'static str,
}

/// A key; `takes` has its unit and its limits.
const fn key(name: &'static str, example: &'static str, takes: &'static str, about: &'static str) -> Key {
    Key { name, about, takes, example }
}

pub(super) const LAYOUT: &[Section] = &[
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
    Section {
        name: "signature",
        about: "Requests signed as Web Bot Auth asks, so that servers can check who sends them. Unset: they are not.",
        keys: SIGNATURE,
    },
    Section {
        name: "log",
        about: "What a run writes of itself, as JSON lines in log/. crawl.log, a line an attempt, is another thing and always written.",
        keys: LOG,
    },
];

pub(super) const TOP: &[Key] = &[
    key(
        "format",
        "1",
        "a number, 1 so far",
        "Version of this layout. A higher one than the program knows is refused before any key is judged.",
    ),
    key(
        "seed",
        "\"2a\"",
        "up to 16 hexadecimal digits; cannot change",
        "The crawl's random seed: the same seed decides alike. Drawn when the crawl begins; a crawl that exists keeps its own.",
    ),
    key(
        "contact",
        "\"mailto:crawl@example.org\"",
        "a URL or an e-mail address, required where the crawl concerns more than one registrable domain",
        "Whom server owners can write to; it stands in every request.",
    ),
    key(
        "user_agent",
        "\"examplebot/1.0\"",
        "a product, with a version or without; it may not pass for another program. Unset: drumlin/ and its version",
        "A product of your own; robots.txt is read under its name.",
    ),
    key(
        "scope",
        "\"domain\"",
        "page, prefix, host, domain, seeds (their hosts and ports) or any",
        "How far from the seeds the crawl goes.",
    ),
    key(
        "depth",
        "3",
        "a number of links from 0 to 4,294,967,295. Unset: no limit",
        "Links from a seed to follow. Sitemaps are left aside under it: what they list has no distance from a seed.",
    ),
    key(
        "limit",
        "10000",
        "a number of pages from 1 on. Unset: no limit",
        "The crawl stops after this many pages, exactly: answers with a final status, redirects, robots.txt and sitemaps apart.",
    ),
    key(
        "size_limit",
        "\"10G\"",
        "a size above 0. Unset: no limit",
        "No page is begun after this many bytes of bodies; those under way end, so that it may be a little more.",
    ),
    key(
        "time_limit",
        "\"2h\"",
        "a time above 0. Unset: no limit",
        "No page is begun after this much of one run.",
    ),
    key(
        "patience",
        "\"10m\"",
        "a time",
        "The crawl is saved and left when nothing is due within it, so that no process waits a day for one host; and when nobody can be reached from this machine for as long.",
    ),
    key(
        "profile",
        "\"default\"",
        "gentle, default or broad",
        "What the next four are where they are not said beside it. broad is for crawls of the whole web.",
    ),
    key(
        "delay",
        "1",
        "a time, at least 0.5 s on the public internet; 0 only within allow_ip",
        "From the end of one request to a host to the start of the next, so that no host has to work for us all the time.\n\
         A longer Crawl-delay goes over it, and ten times what an answer took.",
    ),
    key(
        "ip_delay",
        "0.25",
        "a time, at least 0.1 s on the public internet; 0 only within allow_ip",
        "The same for a server address, since one server may have a thousand hosts.",
    ),
    key(
        "domain_delay",
        "0.25",
        "a time; within allow_ip no longer than delay",
        "Between two requests to a registrable domain, start to start, since one owner may have many hosts and servers.",
    ),
    key(
        "stranger_factor",
        "1",
        "a number from 1 to 3,600",
        "Hosts of domains that few link to are left alone up to this many times longer: nobody asked for them.",
    ),
    key(
        "groups",
        "[\"uni=*.uni.example,library.example@2\"]",
        "a list of NAME=HOST,… or NAME=HOST,…@TIME; *.example.com is a domain with all its hosts; no name twice. Unset: none",
        "Hosts under one clock, request to request, whatever their domains: they share what their names don't show, a machine room \
         or an owner. Without a time they have that of a domain.",
    ),
    key(
        "concurrency",
        "256",
        "a number of requests from 1 to 50,000; half of memory, at 1 MiB a request, bounds it too",
        "Requests under way at once: what the line and the machine bear, for politeness does not depend on it.",
    ),
    key(
        "memory",
        "\"2G\"",
        "a size of at least 64 MiB; below that one large page and one row group do not fit together. A crawl refuses more than the machine has",
        "What the crawl may take, however large it grows; the rest lies on disk.",
    ),
    key(
        "low_disk",
        "\"256M\"",
        "a size; 0 for never",
        "With less free disk space nothing new is fetched, so that what is under way can still be written.",
    ),
    key(
        "include",
        "[\"/docs/\"]",
        "a list of regular expressions (https://docs.rs/regex). Unset: all",
        "Only URLs that match one of them are crawled. Seeds need not.",
    ),
    key(
        "exclude",
        "[\"/private/\"]",
        "a list of regular expressions. Unset: none",
        "No URL that matches one of them is crawled.",
    ),
    key(
        "exclude_hosts",
        "\"hosts.txt\"",
        "a path; the crawl keeps a copy under state/. Unset: none",
        "A file of hosts, one a line, that are not crawled, nor hosts below them: who asked to be left alone.",
    ),
    key(
        "sitemaps",
        "true",
        "true or false. Unset: true where there is no depth and scope is not page",
        "Whether sitemaps are followed.",
    ),
    key(
        "preference_files",
        "false",
        "true or false",
        "Whether /.well-known/tdmrep.json and /ai.txt of each host are asked for after its robots.txt, so that exports leave out what they reserve: two more requests a host, and most hosts have neither.",
    ),
    key(
        "archive",
        "\"keep\"",
        "keep or expire; expire and depth exclude each other",
        "Whether raw captures stay, or go once links and rows are durable: an archive is by far the most of a crawl's disk space.",
    ),
    key(
        "text",
        "\"visible\"",
        "visible, main (the article), markdown (the article with its structure) or none",
        "Which text of an HTML page the corpus gets.",
    ),
    key(
        "earlier",
        "\"../crawl-may\"",
        "the directory of another crawl; there is no copy of it, so it has to stay there. Unset: none",
        "What that crawl has with an ETag or a date is asked for only if it has changed; what has not is taken from its archive. Pages, links and\n\
         texts are whole here either way. Said when a crawl begins; it notes then what the other one has.",
    ),
    key(
        "dns",
        "[\"192.0.2.53\"]",
        "a list of IP or IP:PORT, the port not 0. Unset: the system's",
        "DNS servers: a crawl asks more than most, so that one of its own beside it is worth while.",
    ),
    key(
        "ca_file",
        "\"roots.pem\"",
        "a path; the crawl keeps a copy under state/. Unset: none",
        "Root certificates to trust beside those that browsers trust.",
    ),
    key(
        "insecure",
        "false",
        "true or false",
        "Whether certificates that do not verify are accepted, and recorded with the page.",
    ),
    key(
        "http2",
        "true",
        "true or false",
        "Whether servers are offered HTTP/2 over TLS. Either way a host has one request at a time.",
    ),
    key(
        "cookies",
        "false",
        "true or false",
        "Whether a site (a registrable domain) is shown again the cookies that its hosts have set (RFC 6265), since some answer nobody without.\n\
         In memory alone, and forgotten when the run ends.",
    ),
    key(
        "bind",
        "[\"192.0.2.7\", \"2001:db8::7\"]",
        "a list of at most one IPv4 and one IPv6 address. Unset: the system's choice",
        "Addresses of this machine that connections leave from, so that server owners can know the crawler by them. Where only\n\
         one kind is given, only servers with an address of that kind are contacted.",
    ),
    key(
        "proxy",
        "\"socks5://192.0.2.1:1080\"",
        "http://IP:PORT or socks5://IP:PORT, the port not 0, before IP user:password@ where it wants them. Unset: none",
        "Who makes connections in our place, by CONNECT or SOCKS, to port 80 as to others. It is asked for addresses that were\n\
         resolved and checked here, never for names; all delays hold as without it. The crawl's copy of this file\n\
         keeps the password and is its owner's alone to read then; messages and config show have *** in its place.",
    ),
    key(
        "allow_ip",
        "[\"10.0.0.0/8\"]",
        "a list of ranges or addresses, none of them globally routable. Unset: none",
        "Private ranges that may be contacted, and where delays may be 0: all others are refused after resolution, so that no\n\
         page can make the crawler ask a machine of its own network.",
    ),
];

const RETRY: &[Key] = &[
    key("base", "10", "a time", "The wait after the first failure."),
    key(
        "factor",
        "3",
        "a whole number of at least 1",
        "Each further wait is this many times the last, so that what is down is asked less and less.",
    ),
    key("attempts", "5", "a number from 1 to 255", "So many attempts before a URL is parked."),
    key(
        "max",
        "\"1h\"",
        "a time",
        "No wait is longer, unless the server asks for it; a host on the public internet may rest for five minutes all the same.",
    ),
    key(
        "overload",
        "60",
        "a time",
        "The wait of the whole host after a 429 or 503 without Retry-After; at least a minute on the public internet.",
    ),
];

const PAGE: &[Key] = &[
    key(
        "types",
        "[\"text/html\"]",
        "a list of type/subtype, type/*, type/*+suffix or */*",
        "Media types whose bodies are kept. Of others only the headers are.",
    ),
    key(
        "body",
        "\"16M\"",
        "a size",
        "Bytes kept of a body as it is received; the rest is cut off and the capture says so.",
    ),
    key(
        "parse",
        "\"2M\"",
        "a size of at most 16 MiB, the most that is decoded of a page",
        "Decoded bytes that are parsed, so that a small body cannot unfold into a large one.",
    ),
    key(
        "time",
        "120",
        "a time above 0",
        "The longest a response may take; a slower one is not worth its slot.",
    ),
];

const SIGNATURE: &[Key] = &[
    key(
        "key",
        "\"crawler.pem\"",
        "a path to an Ed25519 key in PEM; there is no copy of it in the crawl, so it has to stay there",
        "The private key, as drumlin keygen makes it.",
    ),
    key(
        "agent",
        "\"https://bot.example.org\"",
        "an origin: https, a host, no path",
        "Where the public key is, in /.well-known/http-message-signatures-directory; drumlin keygen makes that file too.",
    ),
];

const BOOLEAN: &str = "true or false; cannot change";

const FOLDING: &[Key] = &[
    key("scheme", "true", BOOLEAN, "https is http."),
    key("slashes", "true", BOOLEAN, "// in a path is /."),
    key(
        "parameters",
        "true",
        BOOLEAN,
        "Query parameters in another order, empty ones, and b= for b make no difference.",
    ),
    key("tracking", "true", BOOLEAN, "utm_source, gclid, fbclid and their kin make no difference."),
    key("sessions", "true", BOOLEAN, "PHPSESSID, ;jsessionid= and their kin make no difference."),
];

const LOG: &[Key] = &[
    key(
        "level",
        "\"info\"",
        "off, error (failures of ours), warn (and what a rule or a setting forbade), info (and failures of hosts, and the course of the run) or debug (and failures of single URLs)",
        "The least that is worth a line, by whose fault it is.",
    ),
    key(
        "size",
        "\"16M\"",
        "a size from 64 KiB to 1 GiB",
        "A file that would grow beyond this is put aside and another begun, so that no log fills a disk.",
    ),
    key(
        "files",
        "8",
        "a number from 1 to 100",
        "So many files are kept, the one that is written counted; the oldest goes first.",
    ),
];

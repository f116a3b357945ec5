use crate::character::Scheme;
use crate::host::HostId;

/// What a URL of this web names, once everything that makes no difference is taken off it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The host; one that exists.
    pub host: HostId,
    /// The scheme it is asked for under, which need not be the one it is served under.
    pub scheme: Scheme,
    /// What on that host.
    pub what: What,
    /// The session identifier in the URL, where the host has sessions.
    pub session: Option<u64>,
}

/// What a path and query name on a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum What {
    /// An ordinary page: 0 is `/`, the parent of page i is (i − 1) / fan.
    Page(u64),
    /// A neighbour of an ordinary page.
    Leaf(Leaf, u64),
    /// A redirect with that many hops left, ending at the page.
    Hop {
        /// 1 and up.
        left: u64,
        /// The page at the end.
        page: u64,
    },
    /// A month of the calendar, counted from January of year 0.
    Month(u64),
    /// The maze, that many folders deep.
    Maze(u64),
    /// `/robots.txt`.
    Robots,
    /// `/robots-policy.txt`, where two classes of robots.txt redirect to.
    Policy,
    /// `/sitemap.xml`: of all pages, or an index of the parts.
    Sitemap,
    /// One part of a sitemap, from 0; odd ones are gzip files.
    SitemapPart(u64),
    /// Nothing: 404.
    Nothing,
}

/// A neighbour of a page: one link leads to it, and none from it to anywhere new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaf {
    /// 301 to the page.
    Moved,
    /// 302 to the front page of another domain.
    Away,
    /// 302 to [`Leaf::Pool`].
    Loop,
    /// 302 to [`Leaf::Loop`].
    Pool,
    /// 302 to itself, with a cookie that changes nothing.
    Ouroboros,
    /// 404.
    Missing,
    /// 410.
    Gone,
    /// 500 in one window of three, else 200.
    Flaky,
    /// 503 with Retry-After in one window of three, else 200.
    Busy,
    /// 500, always.
    Failing,
    /// The same bytes as the page.
    Copy,
    /// Forbidden by several robots.txt.
    Private,
    /// Allowed by the robots.txt that forbids what is around it.
    PrivateOpen,
    /// Forbidden to `drumlin` by one robots.txt.
    Members,
    /// The page with `print=1`; forbidden by the robots.txt with wildcards.
    Print,
    /// A PDF that the robots.txt with wildcards allows.
    Paper,
    /// A PDF that it forbids.
    Slides,
    /// Plain text.
    Notes,
    /// A PNG.
    Image,
    /// The body ends before its Content-Length.
    Cut,
    /// The connection is reset within the body.
    Reset,
    /// The body comes a few bytes a second.
    Drip,
    /// 404; named only where no link is: in comments, scripts and text areas.
    Ghost,
}

/// The path of a leaf is prefix, number, suffix. [`Leaf::Print`] is written otherwise.
pub(crate) const LEAVES: [(Leaf, &str, &str); 22] = [
    (Leaf::Moved, "/moved/", ""),
    (Leaf::Away, "/away/", ""),
    (Leaf::Loop, "/loop/", ""),
    (Leaf::Pool, "/pool/", ""),
    (Leaf::Ouroboros, "/again/", ""),
    (Leaf::Missing, "/missing/", ".html"),
    (Leaf::Gone, "/gone/", ".html"),
    (Leaf::Flaky, "/flaky/", ""),
    (Leaf::Busy, "/busy/", ""),
    (Leaf::Failing, "/failing/", ""),
    (Leaf::Copy, "/copy/", ".html"),
    (Leaf::PrivateOpen, "/private/open/", ".html"),
    (Leaf::Private, "/private/", ".html"),
    (Leaf::Members, "/members/", ".html"),
    (Leaf::Paper, "/paper/", ".pdf"),
    (Leaf::Slides, "/slides/", ".pdf"),
    (Leaf::Notes, "/notes/", ".txt"),
    (Leaf::Image, "/img/", ".png"),
    (Leaf::Cut, "/cut/", ".html"),
    (Leaf::Reset, "/reset/", ".html"),
    (Leaf::Drip, "/drip/", ".html"),
    (Leaf::Ghost, "/ghost/", ".html"),
];

impl Place {
    /// The front page of a host.
    pub(crate) fn root(host: HostId, scheme: Scheme) -> Self {
        Self { host, scheme, what: What::Page(0), session: None }
    }

    /// Another place on the same host, without session.
    pub(crate) fn with(self, what: What) -> Self {
        Self { what, session: None, ..self }
    }
}

use std::net::Ipv4Addr;

/// What a host does to whoever asks. All but those of robots.txt answer `/robots.txt` with 404.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Malice {
    /// A status line, then a byte of a header now and then.
    DripHead,
    /// A head, then a byte of the body now and then.
    DripBody,
    /// Header after header.
    EndlessHeaders,
    /// One header that does not end.
    EndlessLine,
    /// HTML without end.
    EndlessBody,
    /// Chunks whose sizes are nonsense, a kind for each target `/0`, `/1` …
    ChunkNonsense,
    /// Chunks of one byte with long extensions, without end.
    ChunkExtensions,
    /// Content-Length is less than what comes.
    LengthShort,
    /// Content-Length is more than what comes.
    LengthLong,
    /// Content-Length is below zero.
    LengthNegative,
    /// Two of them that differ.
    LengthTwice,
    /// A gzip body that is 150 times as long unpacked.
    GzipBomb,
    /// A brotli body that is a million times as long.
    BrotliBomb,
    /// A gzip body without its second half.
    GzipCut,
    /// A gzip body of ten thousand members.
    GzipMembers,
    /// Interim responses without end.
    InterimStorm,
    /// Two hosts that send their visitors to each other.
    RedirectLoop,
    /// Host after host, each of which redirects to the next.
    RedirectChain,
    /// A page of redirects to addresses that are not public.
    RedirectPrivate,
    /// A reset after as many bytes of a response as the target says.
    Reset,
    /// A connection that is taken and never answered.
    Silence,
    /// Another protocol, which speaks first.
    OtherProtocol,
    /// A fatal alert in answer to a TLS hello.
    TlsAlert,
    /// A TLS record that says it is longer than any may be.
    TlsOverlong,
    /// A million links on a page.
    MillionLinks,
    /// A hundred megabytes of nested tags, in half a megabyte of gzip.
    NestedTags,
    /// Zero bytes in the body, or for the target `/head` in a header.
    Nuls,
    /// Bytes that no encoding has, under a charset that is not one.
    BrokenEncodings,
    /// Links of every evil kind.
    EvilUrls,
    /// A robots.txt that is a page.
    RobotsHtml,
    /// A robots.txt of random bytes.
    RobotsBinary,
    /// A robots.txt without end.
    RobotsEndless,
}

impl Malice {
    /// Each once.
    pub const ALL: [Self; 32] = [
        Self::DripHead,
        Self::DripBody,
        Self::EndlessHeaders,
        Self::EndlessLine,
        Self::EndlessBody,
        Self::ChunkNonsense,
        Self::ChunkExtensions,
        Self::LengthShort,
        Self::LengthLong,
        Self::LengthNegative,
        Self::LengthTwice,
        Self::GzipBomb,
        Self::BrotliBomb,
        Self::GzipCut,
        Self::GzipMembers,
        Self::InterimStorm,
        Self::RedirectLoop,
        Self::RedirectChain,
        Self::RedirectPrivate,
        Self::Reset,
        Self::Silence,
        Self::OtherProtocol,
        Self::TlsAlert,
        Self::TlsOverlong,
        Self::MillionLinks,
        Self::NestedTags,
        Self::Nuls,
        Self::BrokenEncodings,
        Self::EvilUrls,
        Self::RobotsHtml,
        Self::RobotsBinary,
        Self::RobotsEndless,
    ];

    /// Its host name: `drip-head.test`. Names below it are the same host to the server.
    pub fn host(self) -> String {
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_ascii_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name + ".test"
    }

    /// Who has this name, or a name below it.
    pub fn of_host(host: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|malice| {
            host.strip_suffix(&malice.host()).is_some_and(|below| below.is_empty() || below.ends_with('.'))
        })
    }

    /// Its address: 127.200.0.1 and on, where no ordinary web of this crate has any.
    pub fn address(self) -> Ipv4Addr {
        Ipv4Addr::new(127, 200, 0, self as u8 + 1)
    }

    /// Who is at this address.
    pub fn of_address(address: Ipv4Addr) -> Option<Self> {
        Self::ALL.into_iter().find(|malice| malice.address() == address)
    }

    /// Whether it does not wait for a request.
    pub(super) fn speaks_first(self) -> bool {
        matches!(self, Self::OtherProtocol | Self::TlsAlert | Self::TlsOverlong)
    }
}

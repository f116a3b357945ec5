/// What the HTTP status of a robots.txt response means for its authority (RFC 9309 §2.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Access {
    /// The body holds the rules.
    Rules,
    /// There are no rules: everything may be fetched ("unavailable", §2.3.1.3).
    AllowAll,
    /// The rules are there but can't be had: nothing may be fetched until they can ("unreachable", §2.3.1.4).
    /// A request that got no response at all means the same.
    DisallowAll,
}

impl Access {
    /// The meaning of a final `status`, redirects followed (more than five of them count as a 404, §2.3.1.2).
    ///
    /// 2xx gives rules and 4xx allows, with one exception: 429 says that the server is overloaded, not that the
    /// file is missing, so it forbids as 5xx does (Google reads it so too). Whatever else comes, an unfollowed
    /// redirect or a status out of range, is no answer about the file, and forbids.
    pub fn from_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Rules,
            429 => Self::DisallowAll,
            400..=499 => Self::AllowAll,
            _ => Self::DisallowAll,
        }
    }
}

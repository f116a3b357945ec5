use warc::Fields;

/// What the TLS handshake of a connection showed: what the archive says of it beside protocol and cipher suite, which are headers of
/// its records.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Handshake {
    /// How it began.
    pub session: Session,
    /// The protocol agreed on by ALPN (RFC 7301): `h2`.
    pub alpn: Option<String>,
    /// The certificates that the server sent, of this session or of the one that it goes on with.
    pub certificates: usize,
    /// The first of them: the server's own.
    pub leaf: Option<Leaf>,
    /// What is wrong with them, when `--insecure` accepted them.
    pub objection: Option<String>,
}

/// How a TLS connection began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Session {
    /// With a handshake of its own.
    #[default]
    New,
    /// With the keys of an earlier one.
    Resumed,
}

/// A server's own certificate (RFC 5280), as far as people ask for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leaf {
    /// SHA-256 of the whole, in hexadecimal.
    pub sha256: String,
    /// What it says, if it could be read.
    pub says: Option<LeafSays>,
}

/// What a certificate says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeafSays {
    /// Its subject, as `CN=example.com, O=Example`.
    pub subject: String,
    /// Whose signature it bears.
    pub issuer: String,
    /// From when on it is valid: `2026-01-31T00:00:00Z`.
    pub not_before: String,
    /// Until when.
    pub not_after: String,
    /// DNS names and addresses it is for.
    pub names: Vec<String>,
}

const SESSION: &str = "tlsSession";
const ALPN: &str = "tlsAlpn";
const CHAIN: &str = "certificateChainLength";
const SHA256: &str = "certificateSha256";
const SUBJECT: &str = "certificateSubject";
const ISSUER: &str = "certificateIssuer";
const NOT_BEFORE: &str = "certificateNotBefore";
const NOT_AFTER: &str = "certificateNotAfter";
const NAME: &str = "certificateName";
const OBJECTION: &str = "certificateError";

impl Handshake {
    /// As fields of a metadata record.
    pub(crate) fn put(&self, fields: &mut Fields) {
        fields.push(SESSION, self.session.name());
        fields.push_some(ALPN, self.alpn.as_deref());
        fields.push(CHAIN, self.certificates);
        if let Some(leaf) = &self.leaf {
            leaf.put(fields);
        }
        fields.push_some(OBJECTION, self.objection.as_deref());
    }

    /// Of a metadata record, if it says anything of one; older archives knew nothing but the objection.
    pub(crate) fn of_fields(fields: &Fields) -> Option<Self> {
        let text = |name| fields.get(name).map(str::to_owned);
        let (session, objection) = (fields.get(SESSION), text(OBJECTION));
        if session.is_none() && objection.is_none() {
            return None;
        }
        Some(Self {
            session: if session == Some(Session::Resumed.name()) { Session::Resumed } else { Session::New },
            alpn: text(ALPN),
            certificates: fields.get(CHAIN).and_then(|text| text.parse().ok()).unwrap_or(0),
            leaf: text(SHA256).map(|sha256| Leaf { sha256, says: LeafSays::of_fields(fields) }),
            objection,
        })
    }
}

impl Session {
    fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Resumed => "resumed",
        }
    }
}

impl Leaf {
    fn put(&self, fields: &mut Fields) {
        fields.push(SHA256, &self.sha256);
        let Some(says) = &self.says else { return };
        fields.push(SUBJECT, &says.subject);
        fields.push(ISSUER, &says.issuer);
        fields.push(NOT_BEFORE, &says.not_before);
        fields.push(NOT_AFTER, &says.not_after);
        says.names.iter().for_each(|name| fields.push(NAME, name));
    }
}

impl LeafSays {
    fn of_fields(fields: &Fields) -> Option<Self> {
        let text = |name| fields.get(name).map(str::to_owned);
        Some(Self {
            subject: text(SUBJECT)?,
            issuer: text(ISSUER)?,
            not_before: text(NOT_BEFORE)?,
            not_after: text(NOT_AFTER)?,
            names: fields.get_all(NAME).map(str::to_owned).collect(),
        })
    }
}

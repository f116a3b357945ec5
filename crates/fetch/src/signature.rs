//! Web Bot Auth: requests signed as RFC 9421 says, so that a server can tell who asks without trusting an address or a name.
//!
//! As in draft-ietf-webbotauth-httpsig-protocol-00 (which took in draft-meunier-web-bot-auth-architecture and
//! draft-meunier-http-message-signatures-directory): Ed25519, the tag `web-bot-auth`, the key named by its thumbprint, `Signature-Agent` as a
//! dictionary that says whose directory has it. Covered are the authority and that member, as the draft demands, and method and path, as it
//! recommends to whoever does not want a signature to serve for another request; the nonce is that of RFC 9421, section 7.2.2.

mod directory;
mod key;

#[cfg(test)]
mod tests;

pub use directory::SignedDirectory;
pub use key::{KeyError, SigningKey};

use data_encoding::BASE64;
use http::header::{HeaderName, InvalidHeaderValue};
use http::{HeaderValue, Uri};
use std::fmt::Write;
use stdx::WallTime;
use thiserror::Error;

/// How long a signature is good for, in seconds: clocks of servers are not ours, and a request is sent at once.
const LIFETIME_S: u64 = 60;

/// The label of our one signature.
const LABEL: &str = "sig1";
const TAG: &str = "web-bot-auth";

const SIGNATURE_AGENT: HeaderName = HeaderName::from_static("signature-agent");
const SIGNATURE_INPUT: HeaderName = HeaderName::from_static("signature-input");
const SIGNATURE: HeaderName = HeaderName::from_static("signature");

/// Who signs requests, and where the key for checking is.
#[derive(Debug, Clone)]
pub struct Signer {
    key: SigningKey,
    agent: String,
}

/// Why nothing can be signed in this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AgentError {
    /// A key directory lies at a fixed path of an origin, reached by https.
    #[error("`{0}` is no origin: https://, a host, and nothing behind it")]
    NoOrigin(String),
}

impl Signer {
    /// `agent` is the origin whose key directory has the public key: `https://bot.example.org`.
    pub fn new(key: SigningKey, agent: &str) -> Result<Self, AgentError> {
        if authority_of(agent).is_none() {
            return Err(AgentError::NoOrigin(agent.to_owned()));
        }
        Ok(Self { key, agent: agent.trim_end_matches('/').to_owned() })
    }

    /// The key directory that the agent's origin has to serve, signed until `expires`.
    pub fn directory(&self, created: WallTime, expires: WallTime) -> SignedDirectory {
        let authority = authority_of(&self.agent).expect("it was an origin when it was given");
        SignedDirectory::new(&self.key, &authority, created, expires)
    }

    /// The headers that a request is sent with now.
    pub(crate) fn headers(
        &self,
        asked: Asked<'_>,
        now: WallTime,
        nonce: &Nonce,
    ) -> Result<[(HeaderName, HeaderValue); 3], InvalidHeaderValue> {
        let created = now.unix_ms() / 1_000;
        let derived = |name: &str, value: &str| Component {
            identifier: format!("\"{name}\""),
            value: value.to_owned(),
        };
        let components = [
            derived("@method", "GET"),
            derived("@authority", &asked.authority.to_ascii_lowercase()),
            derived("@path", asked.path()),
            Component {
                identifier: format!("\"signature-agent\";key=\"{LABEL}\""),
                value: format!("\"{}\"", self.agent),
            },
        ];
        let parameters =
            Parameters { created, expires: created + LIFETIME_S, tag: TAG, nonce: Some(nonce.0.as_str()) };
        let signed = sign(&self.key, &components, parameters);
        Ok([
            (SIGNATURE_AGENT, HeaderValue::try_from(format!("{LABEL}=\"{}\"", self.agent))?),
            (SIGNATURE_INPUT, HeaderValue::try_from(signed.input)?),
            (SIGNATURE, HeaderValue::try_from(signed.signature)?),
        ])
    }
}

/// A GET request, as far as it is signed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// Host, and port where it is not the scheme's own.
    pub(crate) authority: &'a str,
    /// Path and query.
    pub(crate) target: &'a str,
}

impl<'a> Asked<'a> {
    /// RFC 9421, section 2.2.6.
    fn path(self) -> &'a str {
        self.target.split('?').next().filter(|path| !path.is_empty()).unwrap_or("/")
    }
}

/// What no two signatures have in common, so that a server can tell a request from its repetition.
#[derive(Debug, Clone)]
pub(crate) struct Nonce(String);

/// As many random bytes as the examples of the draft have.
const NONCE_BYTES: usize = 64;

impl Nonce {
    /// A new one; none where the system has no randomness.
    pub(crate) fn new() -> Option<Self> {
        let mut bytes = [0; NONCE_BYTES];
        aws_lc_rs::rand::fill(&mut bytes).ok()?;
        Some(Self(BASE64.encode(&bytes)))
    }
}

/// Host, and port where it is not that of https, of an origin.
fn authority_of(agent: &str) -> Option<String> {
    let uri: Uri = agent.parse().ok()?;
    let is_origin = uri.scheme_str() == Some("https") && uri.path() == "/" && uri.query().is_none();
    let authority = uri.authority().filter(|authority| is_origin && !authority.as_str().contains('@'))?;
    Some(authority.as_str().trim_end_matches(":443").to_ascii_lowercase())
}

/// A part of a message that is covered: its identifier as it is written, and its value (RFC 9421, section 2).
struct Component {
    identifier: String,
    value: String,
}

/// Parameters of a signature beside key and algorithm; moments in seconds since 1970.
#[derive(Clone, Copy)]
struct Parameters<'a> {
    created: u64,
    expires: u64,
    tag: &'static str,
    /// In base64.
    nonce: Option<&'a str>,
}

/// Two header values.
struct Signed {
    input: String,
    signature: String,
}

fn sign(key: &SigningKey, components: &[Component], parameters: Parameters<'_>) -> Signed {
    let Parameters { created, expires, tag, nonce } = parameters;
    let nonce = nonce.map_or(String::new(), |nonce| format!(";nonce=\"{nonce}\""));
    let covered: Vec<&str> = components.iter().map(|component| component.identifier.as_str()).collect();
    let params = format!(
        "({});created={created};expires={expires};keyid=\"{}\";alg=\"ed25519\"{nonce};tag=\"{tag}\"",
        covered.join(" "),
        key.id()
    );
    let signature = key.sign(base(components, &params).as_bytes());
    Signed { input: format!("{LABEL}={params}"), signature: format!("{LABEL}=:{signature}:") }
}

/// The signature base (RFC 9421, section 2.5).
fn base(components: &[Component], params: &str) -> String {
    let mut base = String::new();
    for Component { identifier, value } in components {
        writeln!(base, "{identifier}: {value}").expect("a string takes any text");
    }
    base + "\"@signature-params\": " + params
}

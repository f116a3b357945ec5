//! Web Bot Auth: requests signed as RFC 9421 says, so that a server can tell who asks without trusting an address or a name.
//!
//! As in draft-meunier-webbotauth-httpsig-protocol-00 (June 2026, after draft-meunier-web-bot-auth-architecture-05) and its companion on
//! key directories: Ed25519, the tag `web-bot-auth`, the authority covered, and `Signature-Agent` naming whose directory has the key.

mod directory;
mod key;

#[cfg(test)]
mod tests;

pub use directory::SignedDirectory;
pub use key::{KeyError, SigningKey};

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

    /// The headers that a request to `authority` is sent with now.
    pub(crate) fn headers(
        &self,
        authority: &str,
        now: WallTime,
    ) -> Result<[(HeaderName, HeaderValue); 3], InvalidHeaderValue> {
        let created = now.unix_ms() / 1_000;
        let components = [
            Component { identifier: "\"@authority\"".to_owned(), value: authority.to_ascii_lowercase() },
            Component {
                identifier: format!("\"signature-agent\";key=\"{LABEL}\""),
                value: format!("\"{}\"", self.agent),
            },
        ];
        let parameters = Parameters { created, expires: created + LIFETIME_S, tag: TAG };
        let signed = sign(&self.key, &components, parameters);
        Ok([
            (SIGNATURE_AGENT, HeaderValue::try_from(format!("{LABEL}=\"{}\"", self.agent))?),
            (SIGNATURE_INPUT, HeaderValue::try_from(signed.input)?),
            (SIGNATURE, HeaderValue::try_from(signed.signature)?),
        ])
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
struct Parameters {
    created: u64,
    expires: u64,
    tag: &'static str,
}

/// Two header values.
struct Signed {
    input: String,
    signature: String,
}

fn sign(key: &SigningKey, components: &[Component], parameters: Parameters) -> Signed {
    let Parameters { created, expires, tag } = parameters;
    let covered: Vec<&str> = components.iter().map(|component| component.identifier.as_str()).collect();
    let params = format!(
        "({});created={created};expires={expires};keyid=\"{}\";alg=\"ed25519\";tag=\"{tag}\"",
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

use super::{Component, Parameters, SigningKey, sign};
use aws_lc_rs::digest::{SHA256, digest};
use data_encoding::BASE64;
use stdx::WallTime;

/// What the origin of a signer has to serve, at [`SignedDirectory::PATH`] by https, byte for byte
/// (draft-ietf-webbotauth-httpsig-protocol-00, "Directory Format" and "Possession Proof on the Directory Response").
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedDirectory {
    /// A JSON Web Key Set (RFC 7517) with the one public key.
    pub body: String,
    /// Headers to serve it with: its type, how long it may be kept, and a signature that proves that the origin's key is its own.
    pub headers: Vec<(&'static str, String)>,
}

/// How long whoever checks signatures may go by it, in seconds: a key that is taken away is trusted no longer than a day. The draft's own
/// example says the same.
const MAX_AGE_S: u64 = 86_400;

const TAG: &str = "http-message-signatures-directory";

impl SignedDirectory {
    /// Where it has to be.
    pub const PATH: &str = "/.well-known/http-message-signatures-directory";
    /// What it has to be called.
    pub const MEDIA_TYPE: &str = "application/http-message-signatures-directory+json";

    pub(super) fn new(key: &SigningKey, authority: &str, created: WallTime, expires: WallTime) -> Self {
        let body = format!(
            "{{\"keys\":[{{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"{}\",\"x\":\"{}\",\"use\":\"sig\"}}]}}\n",
            key.id(),
            key.public_x()
        );
        let digest = content_digest(body.as_bytes());
        // Of the request that is answered: the same key under another name would not verify, nor would other keys under this one.
        let covered = [
            Component { identifier: "\"@authority\";req".to_owned(), value: authority.to_owned() },
            Component { identifier: "\"content-digest\"".to_owned(), value: digest.clone() },
        ];
        let seconds = |moment: WallTime| moment.unix_ms() / 1_000;
        let parameters =
            Parameters { created: seconds(created), expires: seconds(expires), tag: TAG, nonce: None };
        let signed = sign(key, &covered, parameters);
        let headers = vec![
            ("Content-Type", Self::MEDIA_TYPE.to_owned()),
            ("Cache-Control", format!("max-age={MAX_AGE_S}")),
            ("Content-Digest", digest),
            ("Signature-Input", signed.input),
            ("Signature", signed.signature),
        ];
        Self { body, headers }
    }
}

/// `Content-Digest` of these bytes (RFC 9530).
pub(super) fn content_digest(body: &[u8]) -> String {
    format!("sha-256=:{}:", BASE64.encode(digest(&SHA256, body).as_ref()))
}

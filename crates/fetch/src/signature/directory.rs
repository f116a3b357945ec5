use super::{Component, Parameters, SigningKey, sign};
use stdx::WallTime;

/// What the origin of a signer has to serve, at [`SignedDirectory::PATH`] by https.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedDirectory {
    /// A JSON Web Key Set (RFC 7517) with the one public key.
    pub body: String,
    /// Headers to serve it with: its type, and a signature that proves that the origin's key is its own.
    pub headers: Vec<(&'static str, String)>,
}

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
        // Of the request that is answered: the same key under another name would not verify.
        let asked = Component { identifier: "\"@authority\";req".to_owned(), value: authority.to_owned() };
        let seconds = |moment: WallTime| moment.unix_ms() / 1_000;
        let parameters = Parameters { created: seconds(created), expires: seconds(expires), tag: TAG };
        let signed = sign(key, &[asked], parameters);
        let headers = vec![
            ("Content-Type", Self::MEDIA_TYPE.to_owned()),
            ("Signature-Input", signed.input),
            ("Signature", signed.signature),
        ];
        Self { body, headers }
    }
}

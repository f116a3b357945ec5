use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// An Ed25519 key pair, and its name: the thumbprint of its public half as a JSON Web Key (RFC 7638, RFC 8037).
#[derive(Clone)]
pub struct SigningKey {
    pair: Arc<Ed25519KeyPair>,
    id: String,
}

/// A file that holds no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum KeyError {
    /// Not PEM.
    #[error("there is no PRIVATE KEY in PEM in it")]
    NoPem,
    /// A key of another kind, or a broken one.
    #[error("its key is no Ed25519 key in PKCS#8")]
    OtherKey,
}

/// Bytes of base64 on a line of PEM (RFC 7468).
const PEM_LINE: usize = 64;

impl SigningKey {
    /// Reads a PKCS#8 key in PEM, as OpenSSL and [`SigningKey::new_pem`] write it.
    pub fn from_pem(pem: &[u8]) -> Result<Self, KeyError> {
        let der = PrivatePkcs8KeyDer::from_pem_slice(pem).map_err(|_| KeyError::NoPem)?;
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der.secret_pkcs8_der());
        let pair = pair.map_err(|_| KeyError::OtherKey)?;
        let x = BASE64URL_NOPAD.encode(pair.public_key().as_ref());
        let id = BASE64URL_NOPAD.encode(digest(&SHA256, thumbprint_input(&x).as_bytes()).as_ref());
        Ok(Self { pair: Arc::new(pair), id })
    }

    /// A key that nobody has yet, in PEM. The system's randomness makes it.
    pub fn new_pem() -> Option<String> {
        let pair = Ed25519KeyPair::generate().ok()?;
        let der: Pkcs8V1Der<'_> = pair.as_der().ok()?;
        let lines: Vec<String> = BASE64
            .encode(der.as_ref())
            .as_bytes()
            .chunks(PEM_LINE)
            .map(String::from_utf8_lossy)
            .map(String::from)
            .collect();
        Some(format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines.join("\n")))
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its public half, as the key directory has it (RFC 8037).
    pub(super) fn public_x(&self) -> String {
        BASE64URL_NOPAD.encode(self.pair.public_key().as_ref())
    }

    /// A signature in base64.
    pub(super) fn sign(&self, message: &[u8]) -> String {
        BASE64.encode(self.pair.sign(message).as_ref())
    }
}

/// Required members alone, in alphabetical order, without a space (RFC 7638, section 3).
fn thumbprint_input(x: &str) -> String {
    format!("{{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"{x}\"}}")
}

/// Never the private half.
impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("id", &self.id).finish_non_exhaustive()
    }
}

use crate::authorities::Authorities;
use crate::certificate;
use crate::config::{Certificates, FetchConfig, FetchError, HttpVersions};
use crate::handshakes::Handshakes;
use crate::metered::Metered;
use crate::proven;
use crate::sessions::{Sessions, Visit};
use crate::verifier::LenientVerifier;
use archive::{Handshake, Session};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, HandshakeKind, RootCertStore, SupportedCipherSuite};
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use weburl::Url;

/// What the archive says about the connection itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct TlsFacts {
    /// `tls/1.3`.
    pub(crate) protocol: Option<String>,
    /// IANA name.
    pub(crate) cipher_suite: Option<String>,
    /// What else there is to say.
    pub(crate) handshake: Option<Arc<Handshake>>,
}

/// A handshaken stream and its facts.
pub(crate) struct Secured {
    pub(crate) stream: TlsStream<Metered>,
    pub(crate) facts: TlsFacts,
    /// What both ends agreed to speak.
    pub(crate) speaks: Speaks,
}

/// A version of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaks {
    One,
    Two,
}

/// Makes TLS of TCP, by the crawl's policy on certificates.
pub(crate) struct Tls {
    config: Arc<ClientConfig>,
    /// The same, with HTTP/1.1 alone.
    one: Arc<ClientConfig>,
    /// Who agrees to HTTP/2 and then requires HTTP/1.1 (RFC 9113, section 7), or speaks HTTP/2 wrongly.
    one_only: Authorities,
    strict: Arc<WebPkiServerVerifier>,
    /// None in a lenient crawl: a resumed session shows no certificate, and what is wrong with it would go unrecorded.
    sessions: Option<Arc<Sessions>>,
    handshakes: Handshakes,
}

impl Tls {
    /// Trusts what browsers trust (webpki-roots) and the certificates that the configuration adds.
    pub(crate) fn new(config: &FetchConfig) -> Result<Self, FetchError> {
        let handshakes = config.handshakes.clone();
        let provider = Arc::new(provider());
        let roots = Arc::new(roots(config.ca_pem.as_deref())?);
        let strict = WebPkiServerVerifier::builder_with_provider(roots, provider.clone())
            .build()
            .map_err(|error| FetchError::Tls { detail: error.to_string() })?;
        let sessions = || Arc::new(Sessions::new(config.limits.tls_session_bytes));
        let sessions = (config.certificates == Certificates::Verify).then(sessions);
        let config = client_config(provider, strict.clone(), config.versions)?;
        let mut one = config.clone();
        one.alpn_protocols = alpn(HttpVersions::One);
        let (config, one, one_only) = (Arc::new(config), Arc::new(one), Authorities::default());
        Ok(Self { config, one, one_only, strict, sessions, handshakes })
    }

    /// Handshakes on `tcp`, with `name` as SNI and as what the certificate must be for.
    pub(crate) async fn handshake(
        &self,
        url: &Url,
        name: ServerName<'static>,
        tcp: TcpStream,
    ) -> io::Result<Secured> {
        let config = if self.one_only.has(url.authority()) { &self.one } else { &self.config };
        let mut config = ClientConfig::clone(config);
        let policy = self.policy(&mut config);
        let tcp = Metered::new(tcp, policy.visit());
        let stream = TlsConnector::from(Arc::new(config)).connect(name, tcp).await?;
        let connection = stream.get_ref().1;
        self.handshakes.note(connection.handshake_kind());
        let facts = negotiated(connection, policy.learn(connection));
        let is_two = connection.alpn_protocol() == Some(H2);
        Ok(Secured { stream, facts, speaks: if is_two { Speaks::Two } else { Speaks::One } })
    }

    /// From here on the URL's authority is offered HTTP/1.1 alone.
    pub(crate) fn offer_one_only(&self, url: &Url) {
        self.one_only.note(url.authority());
    }

    /// Makes `config` that of one connection.
    fn policy(&self, config: &mut ClientConfig) -> Policy {
        if let Some(sessions) = &self.sessions {
            let visit = Arc::new(Visit::new(sessions.clone()));
            config.resumption = Resumption::store(visit.clone());
            return Policy::Strict(visit);
        }
        let verifier = Arc::new(LenientVerifier::new(self.strict.clone()));
        config.dangerous().set_certificate_verifier(verifier.clone());
        Policy::Lenient(verifier)
    }
}

/// What becomes of a connection whose certificate is not trusted, and who goes on with its session.
enum Policy {
    Strict(Arc<Visit>),
    Lenient(Arc<LenientVerifier>),
}

impl Policy {
    fn visit(&self) -> Option<Arc<Visit>> {
        match self {
            Self::Strict(visit) => Some(visit.clone()),
            Self::Lenient(_) => None,
        }
    }

    /// The handshake is done; what was wrong with the certificate.
    fn learn(&self, connection: &ClientConnection) -> Option<String> {
        match self {
            Self::Strict(visit) => {
                visit.handshaken(connection);
                None
            }
            Self::Lenient(verifier) => verifier.objection(),
        }
    }
}

/// As browsers do: with the short keys first, which are as good as the certificates are, and whose key schedule is by SHA-256.
fn provider() -> CryptoProvider {
    let mut provider = aws_lc_rs::default_provider();
    let is_long =
        |suite: &SupportedCipherSuite| suite.suite().as_str().is_none_or(|name| !name.contains("AES_128"));
    provider.cipher_suites.sort_by_key(is_long);
    provider.signature_verification_algorithms.all = proven::algorithms();
    provider
}

fn client_config(
    provider: Arc<CryptoProvider>,
    strict: Arc<WebPkiServerVerifier>,
    versions: HttpVersions,
) -> Result<ClientConfig, FetchError> {
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| FetchError::Tls { detail: error.to_string() })?
        .with_webpki_verifier(strict)
        .with_no_client_auth();
    config.alpn_protocols = alpn(versions);
    config.resumption = Resumption::disabled();
    Ok(config)
}

/// How HTTP/2 is called in a handshake.
const H2: &[u8] = b"h2";

fn alpn(versions: HttpVersions) -> Vec<Vec<u8>> {
    let one = b"http/1.1".to_vec();
    if versions == HttpVersions::One { vec![one] } else { vec![H2.to_vec(), one] }
}

fn roots(ca_pem: Option<&[u8]>) -> Result<RootCertStore, FetchError> {
    let mut store = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let Some(pem) = ca_pem else { return Ok(store) };
    let before = store.len();
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| FetchError::CaFile { detail: error.to_string() })?;
        store.add(certificate).map_err(|error| FetchError::CaFile { detail: error.to_string() })?;
    }
    if store.len() == before {
        return Err(FetchError::CaFile { detail: "no certificate in it".to_owned() });
    }
    Ok(store)
}

/// The host of a URL as TLS asks for it: a label that begins or ends with a hyphen has no place there (RFC 5890, section 2.3.1).
pub(crate) fn server_name(host: &str) -> io::Result<ServerName<'static>> {
    let bare = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    match bare.parse::<IpAddr>() {
        Ok(address) => Ok(ServerName::from(address)),
        Err(_) => ServerName::try_from(bare.to_owned())
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, format!("`{bare}`: {error}"))),
    }
}

fn negotiated(connection: &ClientConnection, objection: Option<String>) -> TlsFacts {
    let protocol = connection.protocol_version().and_then(|version| version.as_str());
    let suite = connection.negotiated_cipher_suite().and_then(|suite| suite.suite().as_str());
    TlsFacts {
        protocol: protocol.map(warc_protocol),
        cipher_suite: suite.map(|name| name.replacen("TLS13_", "TLS_", 1)),
        handshake: Some(Arc::new(shown(connection, objection))),
    }
}

fn shown(connection: &ClientConnection, objection: Option<String>) -> Handshake {
    let is_resumed = connection.handshake_kind() == Some(HandshakeKind::Resumed);
    let chain = connection.peer_certificates().unwrap_or_default();
    Handshake {
        session: if is_resumed { Session::Resumed } else { Session::New },
        alpn: connection.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned()),
        certificates: chain.len(),
        leaf: chain.first().map(|leaf| certificate::leaf_of(leaf)),
        objection,
    }
}

/// `TLSv1_3` as `WARC-Protocol` wants it: `tls/1.3`.
fn warc_protocol(version: &str) -> String {
    version.replacen("TLSv", "tls/", 1).replacen('_', ".", 1)
}

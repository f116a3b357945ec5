use crate::character::Certificate as Fate;
use crate::host::HostId;
use crate::limits;
use crate::web::Web;
use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::fmt;
use std::sync::{Arc, Mutex};
use stdx::{Map, map};
use thiserror::Error;
use tokio_rustls::TlsAcceptor;

/// Why there is no certificate.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// It could not be made.
    #[error(transparent)]
    Make(#[from] rcgen::Error),
    /// It could not be used.
    #[error(transparent)]
    Use(#[from] rustls::Error),
}

/// A root, one intermediate, and a leaf for every name that is asked for: all P-256, as most of the web's are.
/// The leaves share one key, which changes nothing for a client and saves the making.
pub(crate) struct Authority {
    web: Arc<Web>,
    root: CertifiedIssuer<'static, KeyPair>,
    intermediate: CertifiedIssuer<'static, KeyPair>,
    leaf_key: KeyPair,
    /// Locked because rustls may call a resolver from any thread.
    leaves: Mutex<Map<HostId, Arc<CertifiedKey>>>,
}

impl Authority {
    pub(crate) fn new(web: Arc<Web>) -> Result<Self, CertificateError> {
        let root = CertifiedIssuer::self_signed(authority("simweb root"), KeyPair::generate()?)?;
        let intermediate =
            CertifiedIssuer::signed_by(authority("simweb intermediate"), KeyPair::generate()?, &root)?;
        Ok(Self { web, root, intermediate, leaf_key: KeyPair::generate()?, leaves: Mutex::new(map()) })
    }

    /// The root, which clients trust.
    pub(crate) fn pem(&self) -> String {
        self.root.pem()
    }

    /// Accepts TLS 1.2 and 1.3, HTTP/1.1, with resumption by ticket.
    pub(crate) fn acceptor(self) -> Result<TlsAcceptor, CertificateError> {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(self));
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        config.ticketer = rustls::crypto::aws_lc_rs::Ticketer::new()?;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }

    fn leaf(&self, host: HostId) -> Result<Arc<CertifiedKey>, CertificateError> {
        let fate = self.web.certificate_of(host);
        let name = self.web.name_of(host);
        let named = if fate == Fate::WrongName { format!("not-{name}") } else { name };
        let mut params = CertificateParams::new(vec![named])?;
        if fate == Fate::Expired {
            (params.not_before, params.not_after) = (date_time_ymd(2019, 1, 1), date_time_ymd(2020, 1, 1));
        }
        if fate == Fate::SelfSigned {
            return self.certified(&[&params.self_signed(&self.leaf_key)?]);
        }
        let leaf = params.signed_by(&self.leaf_key, &self.intermediate)?;
        self.certified(&[&leaf, self.intermediate.as_ref()])
    }

    fn certified(&self, chain: &[&Certificate]) -> Result<Arc<CertifiedKey>, CertificateError> {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.leaf_key.serialize_der()));
        let key = rustls::crypto::aws_lc_rs::sign::any_supported_type(&key)?;
        let chain = chain.iter().map(|certificate| certificate.der().clone()).collect();
        Ok(Arc::new(CertifiedKey::new(chain, key)))
    }
}

impl ResolvesServerCert for Authority {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let host = self.web.host(hello.server_name()?)?;
        let mut leaves = self.leaves.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = leaves.get(&host) {
            return Some(Arc::clone(known));
        }
        if leaves.len() >= limits::CACHED_CERTIFICATES {
            leaves.clear();
        }
        let leaf = self.leaf(host).ok()?;
        leaves.insert(host, Arc::clone(&leaf));
        Some(leaf)
    }
}

impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authority")
    }
}

fn authority(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

use crate::failure::certificate;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use std::sync::{Arc, OnceLock};

/// Asks the real verifier, writes down what it says against the certificate, and accepts. One per
/// connection, so that what is written down is about that connection.
#[derive(Debug)]
pub(crate) struct LenientVerifier {
    strict: Arc<WebPkiServerVerifier>,
    objection: OnceLock<String>,
}

impl LenientVerifier {
    pub(crate) fn new(strict: Arc<WebPkiServerVerifier>) -> Self {
        Self { strict, objection: OnceLock::new() }
    }

    /// The first thing the real verifier objected to.
    pub(crate) fn objection(&self) -> Option<String> {
        self.objection.get().cloned()
    }

    fn accept<T>(&self, verdict: Result<T, Error>, accepted: T) -> T {
        verdict.unwrap_or_else(|error| {
            self.objection.get_or_init(|| certificate::words(&error));
            accepted
        })
    }
}

impl ServerCertVerifier for LenientVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verdict =
            self.strict.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        Ok(self.accept(verdict, ServerCertVerified::assertion()))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let verdict = self.strict.verify_tls12_signature(message, cert, dss);
        Ok(self.accept(verdict, HandshakeSignatureValid::assertion()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let verdict = self.strict.verify_tls13_signature(message, cert, dss);
        Ok(self.accept(verdict, HandshakeSignatureValid::assertion()))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.strict.supported_verify_schemes()
    }
}

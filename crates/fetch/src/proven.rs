use crate::limits::PROVEN_SIGNATURES;
use aws_lc_rs::digest::{Context, SHA256};
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

#[cfg(test)]
mod tests;

/// What certificates may be signed by, of which none is verified again that is remembered. A few intermediates sign most certificates
/// of the web, so that of the two signatures in a usual chain one has nearly always been seen. All else that makes a chain one to be
/// trusted (names, times, constraints, roots) is looked at anew each time, by rustls.
pub(crate) fn algorithms() -> &'static [&'static dyn SignatureVerificationAlgorithm] {
    static ALL: LazyLock<Vec<Remembering>> = LazyLock::new(|| {
        let real = default_provider().signature_verification_algorithms.all;
        real.iter().map(|&real| Remembering { real, proven: &PROVEN }).collect()
    });
    static LENT: LazyLock<Vec<&'static dyn SignatureVerificationAlgorithm>> =
        LazyLock::new(|| ALL.iter().map(|one| one as _).collect());
    &LENT
}

static PROVEN: Proven = Proven::new();

type Digest = [u8; 32];

/// Signatures that were good, each by a digest of all that this depends on. Whoever comes to the place of another takes it. Without room
/// until there is one.
#[derive(Debug)]
struct Proven(Mutex<Vec<Digest>>);

impl Proven {
    const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn has(&self, digest: &Digest) -> bool {
        self.slots().get(slot(digest)) == Some(digest)
    }

    fn note(&self, digest: Digest) {
        let mut slots = self.slots();
        slots.resize(PROVEN_SIGNATURES, Digest::default());
        slots[slot(&digest)] = digest;
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Digest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn slot(digest: &Digest) -> usize {
    usize::from(u16::from_le_bytes([digest[0], digest[1]])) % PROVEN_SIGNATURES
}

/// An algorithm that asks `proven` first.
#[derive(Debug)]
struct Remembering {
    real: &'static dyn SignatureVerificationAlgorithm,
    proven: &'static Proven,
}

impl Remembering {
    /// Of the algorithm, the key, the message and the signature, each after its length.
    fn digest(&self, parts: [&[u8]; 3]) -> Digest {
        let (key, signature) = (self.real.public_key_alg_id(), self.real.signature_alg_id());
        let mut context = Context::new(&SHA256);
        for part in [key.as_ref(), signature.as_ref()].into_iter().chain(parts) {
            context.update(&part.len().to_le_bytes());
            context.update(part);
        }
        let mut digest = Digest::default();
        digest.copy_from_slice(context.finish().as_ref());
        digest
    }
}

impl SignatureVerificationAlgorithm for Remembering {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let digest = self.digest([public_key, message, signature]);
        if self.proven.has(&digest) {
            return Ok(());
        }
        self.real.verify_signature(public_key, message, signature)?;
        self.proven.note(digest);
        Ok(())
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.real.public_key_alg_id()
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.real.signature_alg_id()
    }

    fn fips(&self) -> bool {
        self.real.fips()
    }
}

use super::{Proven, Remembering, algorithms};
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::alg_id::{ECDSA_P256, ECDSA_SHA256};
use rustls::pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Takes a signature that says what the message says, and counts how often it is asked.
#[derive(Debug)]
struct Echo(AtomicUsize);

impl Echo {
    fn asked(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl SignatureVerificationAlgorithm for Echo {
    fn verify_signature(
        &self,
        _key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        self.0.fetch_add(1, Ordering::Relaxed);
        if message == signature { Ok(()) } else { Err(InvalidSignature) }
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        ECDSA_P256
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        ECDSA_SHA256
    }
}

#[test]
fn a_good_signature_is_verified_once() {
    static REAL: Echo = Echo(AtomicUsize::new(0));
    static PROVEN: Proven = Proven::new();
    let remembering = Remembering { real: &REAL, proven: &PROVEN };
    for _ in 0..3 {
        assert!(remembering.verify_signature(b"key", b"message", b"message").is_ok());
    }
    assert_eq!(REAL.asked(), 1);
    // What was good for this key and message says nothing of another, however the bytes are divided among them.
    assert!(remembering.verify_signature(b"keym", b"essage", b"message").is_err());
    assert!(remembering.verify_signature(b"other", b"message", b"message").is_ok());
    assert_eq!(REAL.asked(), 3);
}

#[test]
fn a_bad_signature_is_never_remembered() {
    static REAL: Echo = Echo(AtomicUsize::new(0));
    static PROVEN: Proven = Proven::new();
    let remembering = Remembering { real: &REAL, proven: &PROVEN };
    for _ in 0..3 {
        assert!(remembering.verify_signature(b"key", b"message", b"forged").is_err());
    }
    assert_eq!(REAL.asked(), 3);
}

#[test]
fn every_algorithm_of_the_provider_is_there() {
    let real = default_provider().signature_verification_algorithms.all;
    let ids = |one: &&dyn SignatureVerificationAlgorithm| (one.public_key_alg_id(), one.signature_alg_id());
    let (ours, theirs): (Vec<_>, Vec<_>) =
        (algorithms().iter().map(ids).collect(), real.iter().map(ids).collect());
    assert_eq!(ours, theirs);
}

use super::directory::content_digest;
use super::{
    AgentError, Asked, Component, KeyError, Nonce, SignedDirectory, Signer, SigningKey, authority_of, base,
};
use stdx::WallTime;

/// `test-key-ed25519` (RFC 9421, appendix B.1.4).
const KEY: &str = "-----BEGIN PRIVATE KEY-----\n\
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n\
-----END PRIVATE KEY-----\n";

fn key() -> SigningKey {
    SigningKey::from_pem(KEY.as_bytes()).unwrap()
}

/// Appendix B.2.6, whole: base and signature.
#[test]
fn the_rfcs_own_example_is_signed_alike() {
    let component =
        |name: &str, value: &str| Component { identifier: format!("\"{name}\""), value: value.to_owned() };
    let components = [
        component("date", "Tue, 20 Apr 2021 02:07:55 GMT"),
        component("@method", "POST"),
        component("@path", "/foo"),
        component("@authority", "example.com"),
        component("content-type", "application/json"),
        component("content-length", "18"),
    ];
    let params = "(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")\
                  ;created=1618884473;keyid=\"test-key-ed25519\"";
    let base = base(&components, params);
    let expected = "\"date\": Tue, 20 Apr 2021 02:07:55 GMT\n\"@method\": POST\n\"@path\": /foo\n\
         \"@authority\": example.com\n\"content-type\": application/json\n\"content-length\": 18\n\
         \"@signature-params\": (\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\" \"content-length\")\
         ;created=1618884473;keyid=\"test-key-ed25519\"";
    assert_eq!(base, expected);
    let signature =
        "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==";
    assert_eq!(key().sign(base.as_bytes()), signature);
}

/// RFC 8037, appendix A.3, has the method; the drafts name this key so in their examples.
#[test]
fn a_key_is_named_by_its_thumbprint() {
    assert_eq!(key().id(), "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U");
    assert_eq!(key().public_x(), "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs");
    assert!(!format!("{:?}", key()).contains("n4Ni"), "the private half is not shown");
}

/// draft-ietf-webbotauth-httpsig-protocol-00, test vectors with Ed25519: a request, and the response with a directory.
#[test]
fn the_drafts_own_examples_are_signed_alike() {
    let component = |identifier: &str, value: &str| Component {
        identifier: identifier.to_owned(),
        value: value.to_owned(),
    };
    let request = [
        component("\"@authority\"", "example.com"),
        component("\"signature-agent\";key=\"agent2\"", "\"https://signature-agent.test\""),
    ];
    let params = "(\"@authority\" \"signature-agent\";key=\"agent2\");created=1735689600\
                  ;keyid=\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\";alg=\"ed25519\";expires=4889289600\
                  ;nonce=\"n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==\"\
                  ;tag=\"web-bot-auth\"";
    let signature =
        "RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==";
    assert_eq!(key().sign(base(&request, params).as_bytes()), signature);

    let body = "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\",\
                \"x\":\"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs\",\"use\":\"sig\"}]}";
    let digest = content_digest(body.as_bytes());
    assert_eq!(digest, "sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:");
    let response =
        [component("\"@authority\";req", "signature-agent.test"), component("\"content-digest\"", &digest)];
    let params = "(\"@authority\";req \"content-digest\");created=1735689600;expires=4889289600\
                  ;keyid=\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\";tag=\"http-message-signatures-directory\"";
    let signature =
        "l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==";
    assert_eq!(key().sign(base(&response, params).as_bytes()), signature);
}

#[test]
fn a_request_names_its_agent_and_covers_what_it_asks_of_whom() {
    let signer = Signer::new(key(), "https://bot.example.org/").unwrap();
    let asked = Asked { authority: "A.Example:8080", target: "/a/b?c=d" };
    let nonce = Nonce("bm9uY2U=".to_owned());
    let headers = signer.headers(asked, WallTime::from_unix_ms(1_795_000_000_999), &nonce).unwrap();
    let told: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
    assert_eq!(told[0], ("signature-agent", "sig1=\"https://bot.example.org\""));
    let input = "sig1=(\"@method\" \"@authority\" \"@path\" \"signature-agent\";key=\"sig1\")\
                 ;created=1795000000;expires=1795000060\
                 ;keyid=\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\";alg=\"ed25519\";nonce=\"bm9uY2U=\";tag=\"web-bot-auth\"";
    assert_eq!(told[1], ("signature-input", input));
    let base = format!(
        "\"@method\": GET\n\"@authority\": a.example:8080\n\"@path\": /a/b\n\
         \"signature-agent\";key=\"sig1\": \"https://bot.example.org\"\n\"@signature-params\": {}",
        input.strip_prefix("sig1=").unwrap()
    );
    assert_eq!(told[2], ("signature", format!("sig1=:{}:", key().sign(base.as_bytes())).as_str()));
}

#[test]
fn no_nonce_comes_twice() {
    let nonces = [(); 2].map(|()| Nonce::new().unwrap().0);
    assert!(nonces[0] != nonces[1] && nonces[0].len() == 88, "{nonces:?}");
}

#[test]
fn a_directory_has_the_public_key_and_proves_its_origin() {
    let signer = Signer::new(key(), "https://bot.example.org:443").unwrap();
    let at = |s: u64| WallTime::from_unix_ms(s * 1_000);
    let SignedDirectory { body, headers } = signer.directory(at(1_795_000_000), at(1_797_592_000));
    let expected = "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U\",\
                    \"x\":\"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs\",\"use\":\"sig\"}]}\n";
    assert_eq!(body, expected);
    let value = |name: &str| headers.iter().find(|(of, _)| *of == name).unwrap().1.as_str();
    assert_eq!(value("Content-Digest"), content_digest(body.as_bytes()));
    let input = value("Signature-Input");
    assert!(
        input.starts_with(
            "sig1=(\"@authority\";req \"content-digest\");created=1795000000;expires=1797592000;"
        )
    );
    assert!(input.ends_with(";tag=\"http-message-signatures-directory\""));
}

#[test]
fn an_agent_is_an_origin() {
    for (agent, authority) in [
        ("https://a.example", Some("a.example")),
        ("https://A.example:8443/", Some("a.example:8443")),
        ("http://a.example", None),
        ("https://a.example/path", None),
        ("https://a.example/?q", None),
        ("https://user@a.example", None),
        ("a.example", None),
        ("https://a.example\"x", None),
        ("", None),
    ] {
        assert_eq!(authority_of(agent).as_deref(), authority, "{agent}");
        assert_eq!(Signer::new(key(), agent).is_ok(), authority.is_some(), "{agent}");
    }
    let error = Signer::new(key(), "x").unwrap_err();
    assert_eq!(error, AgentError::NoOrigin("x".to_owned()));
}

#[test]
fn what_is_no_key_is_refused() {
    assert_eq!(SigningKey::from_pem(b"").unwrap_err(), KeyError::NoPem);
    let other = KEY.replace("K2Vw", "K2Vu");
    assert_eq!(SigningKey::from_pem(other.as_bytes()).unwrap_err(), KeyError::OtherKey);
    let fresh = [(); 2].map(|()| SigningKey::from_pem(SigningKey::new_pem().unwrap().as_bytes()).unwrap());
    assert_ne!(fresh[0].id(), fresh[1].id());
}

//! Signed requests, checked by another implementation of RFC 9421 from what the archive has of them.

use crate::support::crawl::Crawl;
use crate::support::names;
use crate::support::script::{Reply, Script};
use crate::support::tools::{judge, output};
use serde_json::{Value, json};
use std::fs;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Command;

const AGENT: &str = "https://bot.drumlin.test";

/// Every request record of an archive, and the key directory, verified with http-message-signatures; what was altered must not be.
const JUDGE: &str = r#"
import hashlib, json, sys, pathlib
from http_message_signatures import HTTPMessageVerifier, HTTPSignatureKeyResolver, algorithms, InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from warcio.archiveiterator import ArchiveIterator
import base64

archive, directory, headers, agent = sys.argv[1:]
(jwk,) = json.loads(pathlib.Path(directory).read_text())["keys"]
public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(jwk["x"] + "="))

class Keys(HTTPSignatureKeyResolver):
    def resolve_public_key(self, key_id):
        assert key_id == jwk["kid"], key_id
        return public

class Message:
    def __init__(self, method, url, headers, **more):
        self.method, self.url, self.headers = method, url, headers
        self.__dict__.update(more)

verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ED25519, key_resolver=Keys())
required = ['"@method"', '"@authority"', '"@path"', '"signature-agent";key="sig1"']
count, nonces = 0, set()
for path in sorted(pathlib.Path(archive).glob("*.warc.gz")):
    for record in ArchiveIterator(path.open("rb")):
        if record.rec_type != "request":
            continue
        sent = {name.lower(): value for name, value in record.http_headers.headers}
        url = record.rec_headers.get_header("WARC-Target-URI")
        assert sent["signature-agent"] == f'sig1="{agent}"', sent
        (result,) = verifier.verify(Message("GET", url, sent), expect_tag="web-bot-auth", require_components=required)
        assert result.parameters["expires"] - result.parameters["created"] == 60
        nonces.add(result.parameters["nonce"])
        for altered in (Message("GET", "http://elsewhere.test/", sent),
                        Message("GET", url.split("?")[0] + "/else", sent),
                        Message("POST", url, sent),
                        Message("GET", url, {**sent, "signature-agent": 'sig1="https://evil.test"'})):
            try:
                verifier.verify(altered, expect_tag="web-bot-auth")
            except InvalidSignature:
                continue
            raise SystemExit("an altered request verifies")
        count += 1

assert len(nonces) == count, nonces
served = dict(line.split(": ", 1) for line in pathlib.Path(headers).read_text().splitlines())
asked = Message("GET", agent + "/.well-known/http-message-signatures-directory", {})
answer = Message(None, asked.url, {name.lower(): value for name, value in served.items()}, status_code=200, request=asked)
(result,) = verifier.verify(answer, expect_tag="http-message-signatures-directory", require_components=['"@authority";req', '"content-digest"'])
digest = base64.b64encode(hashlib.sha256(pathlib.Path(directory).read_bytes()).digest()).decode()
assert served["Content-Digest"] == f"sha-256=:{digest}:", served
print(json.dumps({"requests": count, "type": served["Content-Type"]}))
"#;

/// Makes a key; gives the paths of key, directory and headers.
fn keygen(crawl: &Crawl) -> [String; 3] {
    let place = crawl.file("beside", "");
    let key = Path::new(&place).with_extension("pem");
    let mut command = Command::new(env!("CARGO_BIN_EXE_drumlin"));
    let told = output(command.arg("keygen").arg(&key).args(["--agent", AGENT]));
    assert!(told.contains("[signature]") && told.contains("/.well-known/http-message-signatures-directory"));
    let beside = |ending: &str| key.with_extension(ending).display().to_string();
    [beside("pem"), beside("directory.json"), beside("directory.headers")]
}

fn server() -> Script {
    Script::start(|ask| match ask.target {
        "/robots.txt" => Reply::status(404),
        "/" => Reply::page(&["/1", "/2?q=ü"]),
        _ => Reply::page(&[]),
    })
}

fn crawl(server: &Script) -> Crawl {
    let dns = names::serve(|_| Some(Ipv4Addr::new(127, 0, 0, 9)));
    Crawl::new(dns, &[&server.url("a.test", "/")])
}

#[test]
fn another_implementation_verifies_every_request_as_it_was_archived() {
    let server = server();
    let plain = crawl(&server);
    let [key, directory, headers] = keygen(&plain);
    let settings = format!("[signature]\nkey = {key:?}\nagent = {AGENT:?}\n");
    let crawl = plain.config(&settings);
    crawl.run_to_the_end();
    let written = fs::read_to_string(crawl.dir().join("drumlin.toml")).expect("the configuration");
    assert!(written.contains(&format!("key = {key:?}")), "the key stays where it is");

    let Some(mut python) = judge("python") else { return };
    let archive = crawl.dir().join("archive");
    let said = output(python.args(["-c", JUDGE]).arg(archive).args([&directory, &headers]).arg(AGENT));
    let said: Value = serde_json::from_str(&said).expect("JSON");
    let expected = json!({"requests": 4, "type": "application/http-message-signatures-directory+json"});
    assert_eq!(said, expected);
}

#[test]
fn a_key_is_made_once_and_is_nobody_elses_to_read() {
    use std::os::unix::fs::PermissionsExt;
    let crawl = crawl(&server());
    let first = keygen(&crawl).map(|path| fs::read_to_string(path).expect("a file"));
    let second = keygen(&crawl).map(|path| fs::read_to_string(path).expect("a file"));
    assert_eq!((&first[0], &first[1]), (&second[0], &second[1]), "the same key again");
    let mode = fs::metadata(&keygen(&crawl)[0]).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(
        first[0].contains("PRIVATE KEY") && !first[1].contains("\"d\""),
        "only the public half is published"
    );
}

use crate::{LIST_VERSION, Shard, pld, registrable_domain, site};
use testdata::cases;

#[test]
fn the_lists_own_cases_pass() {
    for case in cases("url-psl.jsonl") {
        let host = case["host"].as_str().unwrap().to_lowercase();
        assert_eq!(registrable_domain(&host), case["registered"].as_str(), "{host}");
    }
}

#[test]
fn reputation_goes_by_what_was_paid_for() {
    for (host, paid, whole) in [
        ("www.example.co.uk", "example.co.uk", "example.co.uk"),
        ("www.alice.github.io", "github.io", "alice.github.io"),
        (
            "bucket.s3.dualstack.us-east-1.amazonaws.com",
            "amazonaws.com",
            "bucket.s3.dualstack.us-east-1.amazonaws.com",
        ),
        ("github.io", "github.io", "github.io"),
        ("co.uk", "co.uk", "co.uk"),
        ("a.b.test", "b.test", "b.test"),
        ("localhost", "localhost", "localhost"),
        ("10.0.0.1", "10.0.0.1", "10.0.0.1"),
        ("[2001:db8::1]", "[2001:db8::1]", "[2001:db8::1]"),
        ("www.example.com.", "example.com", "example.com"),
        ("", "", ""),
        ("..", "..", ".."),
        (".", ".", "."),
        ("a..b.test", "a..b.test", "a..b.test"),
        (".a.b.test", ".a.b.test", ".a.b.test"),
        ("a.b.test..", "a.b.test..", "a.b.test.."),
        ("a.b.42", "a.b.42", "a.b.42"),
        ("42.b4.test", "b4.test", "b4.test"),
        ("a.b.4t", "b.4t", "b.4t"),
        ("a.b.t4", "b.t4", "b.t4"),
    ] {
        assert_eq!(pld(host), paid, "{host}");
        assert_eq!(site(host), whole, "{host}");
    }
}

#[test]
fn hosts_of_one_domain_share_a_shard() {
    assert_eq!(Shard::of("www.example.com", 3), Shard::of("example.com", 3));
    assert_eq!(Shard::of("alice.github.io", 3), Shard::of("bob.github.io", 3));
    let used: std::collections::BTreeSet<_> =
        (0..4000).map(|n| Shard::of(&format!("host{n}.com"), 3)).collect();
    assert_eq!(used.len(), Shard::COUNT);
}

#[test]
fn the_version_said_is_the_version_compiled_in() {
    let lock = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock"));
    let at = lock.find("name = \"psl\"\n").unwrap();
    let version = lock[at..].lines().nth(1).unwrap();
    assert_eq!(version, format!("version = \"{}\"", LIST_VERSION.strip_prefix("psl ").unwrap()));
}

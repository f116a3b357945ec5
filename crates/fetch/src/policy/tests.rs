use super::{AddressPolicy, PolicyError};
use crawler::{Address, Reach};
use std::net::IpAddr;

fn policy(ranges: &[&str]) -> Result<AddressPolicy, PolicyError> {
    AddressPolicy::new(ranges.iter().map(|range| range.parse().unwrap()).collect())
}

fn check(policy: &AddressPolicy, address: &str, permitted: bool) {
    assert_eq!(policy.check(address.parse::<IpAddr>().unwrap()).is_some(), permitted, "{address}");
}

#[test]
fn the_public_internet_only() {
    let policy = AddressPolicy::public();
    check(&policy, "1.1.1.1", true);
    check(&policy, "127.0.0.1", false);
    check(&policy, "::ffff:127.0.0.1", false);
}

#[test]
fn and_what_is_allowed_by_name() {
    let policy = policy(&["127.0.0.0/8", "fd00::/8"]).unwrap();
    for address in ["127.0.0.1", "127.9.9.9", "::ffff:127.0.0.1", "fd12::1", "1.1.1.1"] {
        check(&policy, address, true);
    }
    for address in ["10.0.0.1", "::1", "64:ff9b::7f00:1", "2002:7f00:1::"] {
        check(&policy, address, false);
    }
    for (address, reach) in [("127.0.0.1", Reach::Allowed), ("1.1.1.1", Reach::Public)] {
        let ip = address.parse().unwrap();
        assert_eq!(policy.check(ip), Some(Address { ip, reach }), "delays of 0 are for allowed ranges only");
    }
}

#[test]
fn public_ranges_cannot_be_allowed_by_name() {
    for range in ["0.0.0.0/0", "1.1.1.0/24", "8.0.0.0/5", "::/0", "2606:4700::/32"] {
        let error = policy(&["10.0.0.0/8", range]).unwrap_err();
        assert_eq!(error, PolicyError::Global { range: range.parse().unwrap() });
        assert!(error.to_string().contains(range), "{error}");
    }
}

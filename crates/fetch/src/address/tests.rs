use super::{is_global, is_wholly_private};
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use proptest::prelude::*;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The IANA registries of special-purpose addresses: block, and whether it is globally reachable.
/// A more specific line overrules its block. `N/A` (6to4, Teredo) stands in tests of its own.
const IANA_V4: [(&str, bool); 26] = [
    ("0.0.0.0/8", false),
    ("0.0.0.0/32", false),
    ("10.0.0.0/8", false),
    ("100.64.0.0/10", false),
    ("127.0.0.0/8", false),
    ("169.254.0.0/16", false),
    ("172.16.0.0/12", false),
    ("192.0.0.0/24", false),
    ("192.0.0.0/29", false),
    ("192.0.0.8/32", false),
    ("192.0.0.9/32", true),
    ("192.0.0.10/32", true),
    ("192.0.0.170/32", false),
    ("192.0.0.171/32", false),
    ("192.0.2.0/24", false),
    ("192.31.196.0/24", true),
    ("192.52.193.0/24", true),
    ("192.88.99.2/32", false),
    ("192.168.0.0/16", false),
    ("192.175.48.0/24", true),
    ("198.18.0.0/15", false),
    ("198.51.100.0/24", false),
    ("203.0.113.0/24", false),
    ("224.0.0.0/4", false),
    ("240.0.0.0/4", false),
    ("255.255.255.255/32", false),
];

const IANA_V6: [(&str, bool); 24] = [
    ("::1/128", false),
    ("::/128", false),
    ("64:ff9b:1::/48", false),
    ("100::/64", false),
    ("100:0:0:1::/64", false),
    ("2001::/23", false),
    ("2001:1::1/128", true),
    ("2001:1::2/128", true),
    ("2001:1::3/128", true),
    ("2001:2::/48", false),
    ("2001:3::/32", true),
    ("2001:4:112::/48", true),
    ("2001:10::/28", false),
    ("2001:20::/28", true),
    ("2001:30::/28", true),
    ("2001:db8::/32", false),
    ("2620:4f:8000::/48", true),
    ("3fff::/20", false),
    ("5f00::/16", false),
    ("fc00::/7", false),
    ("fe80::/10", false),
    ("fec0::/10", false),
    ("ff00::/8", false),
    ("::/96", false),
];

fn check(text: &str, expected: bool) {
    let address: IpAddr = text.parse().unwrap();
    assert_eq!(is_global(address), expected, "{text}");
}

/// What the registries say: the most specific line that holds the address, or else whether it is unicast
/// that IANA assigns from.
fn by_registry(address: IpAddr) -> bool {
    let lines =
        IANA_V4.iter().chain(&IANA_V6).map(|(text, reachable)| (text.parse::<IpNet>().unwrap(), *reachable));
    let line =
        lines.filter(|(block, _)| block.contains(&address)).max_by_key(|(block, _)| block.prefix_len());
    let assigned: IpNet = "2000::/3".parse().unwrap();
    line.map_or(address.is_ipv4() || assigned.contains(&address), |(_, reachable)| reachable)
}

/// First, last and the neighbours on both sides of a block.
fn edges(block: IpNet) -> Vec<IpAddr> {
    match block {
        IpNet::V4(net) => [net.network().to_bits(), net.broadcast().to_bits()]
            .into_iter()
            .flat_map(|bits| [bits.wrapping_sub(1), bits, bits.wrapping_add(1)])
            .map(|bits| Ipv4Addr::from_bits(bits).into())
            .collect(),
        IpNet::V6(net) => [net.network().to_bits(), net.broadcast().to_bits()]
            .into_iter()
            .flat_map(|bits| [bits.wrapping_sub(1), bits, bits.wrapping_add(1)])
            .map(|bits| Ipv6Addr::from_bits(bits).into())
            .collect(),
    }
}

#[test]
fn every_block_of_the_registries_to_its_edges() {
    for (text, _) in IANA_V4.iter().chain(&IANA_V6) {
        for address in edges(text.parse().unwrap()) {
            let is_embedding = ["2001::/32", "2002::/16", "::ffff:0:0/96", "64:ff9b::/96", "192.88.99.0/24"]
                .iter()
                .any(|block| block.parse::<IpNet>().unwrap().contains(&address));
            assert!(is_embedding || is_global(address) == by_registry(address), "{address} beside {text}");
        }
    }
}

#[test]
fn public_addresses_are_global() {
    for text in ["1.1.1.1", "8.8.8.8", "93.184.215.14", "100.63.255.255", "172.32.0.0", "223.255.255.255"] {
        check(text, true);
    }
    for text in ["2606:4700::1111", "2a00:1450:4001:82a::200e", "2001:4860:4860::8888", "2001:200::1"] {
        check(text, true);
    }
}

#[test]
fn private_addresses_are_not() {
    for text in ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.100.100.200", "192.88.99.1", "0.0.0.0"] {
        check(text, false);
    }
    for text in ["::1", "::", "fd00:ec2::254", "fe80::1", "ff02::1", "fec0::1", "4000::1", "9000::1"] {
        check(text, false);
    }
}

#[test]
fn embedded_addresses_are_judged_by_what_they_carry() {
    let carriers = [
        |v4: Ipv4Addr| v4.to_ipv6_mapped(),
        |v4: Ipv4Addr| Ipv6Addr::from_bits(0x0064_ff9b << 96 | u128::from(v4.to_bits())),
        |v4: Ipv4Addr| Ipv6Addr::from_bits(0x2002 << 112 | u128::from(v4.to_bits()) << 80 | 1),
    ];
    for carrier in carriers {
        for text in
            ["8.8.8.8", "127.0.0.1", "10.0.0.1", "169.254.169.254", "100.64.0.1", "203.0.113.5", "1.1.1.1"]
        {
            let v4: Ipv4Addr = text.parse().unwrap();
            let carried = IpAddr::V6(carrier(v4));
            assert_eq!(is_global(carried), is_global(v4.into()), "{carried} carries {v4}");
        }
    }
}

#[test]
fn teredo_needs_a_global_server_and_a_global_client() {
    let teredo = |server: &str, client: &str| {
        let [server, client] =
            [server, client].map(|text| u128::from(text.parse::<Ipv4Addr>().unwrap().to_bits()));
        is_global(Ipv6Addr::from_bits(0x2001 << 112 | server << 64 | (!client & 0xffff_ffff)).into())
    };
    assert!(teredo("65.54.227.120", "192.0.2.45") == is_global([192, 0, 2, 45].into()));
    assert!(teredo("65.54.227.120", "8.8.4.4"));
    assert!(!teredo("10.0.0.1", "8.8.4.4"));
    assert!(!teredo("65.54.227.120", "127.0.0.1"));
}

#[test]
fn compatible_addresses_are_never_global() {
    for text in ["::8.8.8.8", "::127.0.0.1", "::10.0.0.1"] {
        check(text, false);
    }
}

fn check_range(text: &str, expected: bool) {
    assert_eq!(is_wholly_private(text.parse().unwrap()), expected, "{text}");
}

#[test]
fn ranges_with_nothing_global_in_them() {
    for text in ["127.0.0.0/8", "10.0.0.0/8", "10.1.2.3/32", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3"]
    {
        check_range(text, true);
    }
    for text in ["::1/128", "fd00::/8", "fe80::/10", "8000::/1", "::ffff:10.0.0.0/104", "64:ff9b::7f00:0/104"]
    {
        check_range(text, true);
    }
    for text in ["2002:a00::/24", "2002:7f00:1::/48", "2002:7f00:1:2::/64", "2001:db8::/40", "2001:2::/48"] {
        check_range(text, true);
    }
}

#[test]
fn ranges_with_something_global_in_them() {
    for text in ["0.0.0.0/0", "10.0.0.0/7", "8.8.8.8/32", "172.16.0.0/11", "192.0.0.0/24", "192.0.0.9/32"] {
        check_range(text, false);
    }
    for text in ["::/0", "2000::/3", "::/3", "::ffff:0:0/96", "::ffff:8.8.8.8/128", "64:ff9b::/96"] {
        check_range(text, false);
    }
    for text in ["2002::/16", "2002:808::/32", "2001::/32", "2001::/23", "2606:4700::/32", "::/64"] {
        check_range(text, false);
    }
}

/// Any range, with prefixes and blocks near the special ones.
fn any_range() -> impl Strategy<Value = IpNet> {
    let near = prop::sample::select(IANA_V4.iter().chain(&IANA_V6).map(|line| line.0).collect::<Vec<_>>());
    let special = (near, any::<u128>(), 0..=128u8).prop_map(|(text, bits, prefix)| {
        match text.parse::<IpNet>().unwrap() {
            IpNet::V4(net) => {
                let host = bits as u32 & net.hostmask().to_bits();
                Ipv4Net::new(Ipv4Addr::from_bits(net.network().to_bits() | host), prefix % 33)
                    .unwrap()
                    .trunc()
                    .into()
            }
            IpNet::V6(net) => {
                let host = bits & net.hostmask().to_bits();
                Ipv6Net::new(Ipv6Addr::from_bits(net.network().to_bits() | host), prefix)
                    .unwrap()
                    .trunc()
                    .into()
            }
        }
    });
    let embedded =
        (any::<u32>(), prop::sample::select(vec![96u8, 104, 112, 120, 128])).prop_map(|(v4, prefix)| {
            IpNet::V6(Ipv6Net::new(Ipv4Addr::from_bits(v4).to_ipv6_mapped(), prefix).unwrap().trunc())
        });
    prop_oneof![special, embedded]
}

/// Any address of `range`, by `bits`.
fn inside(range: IpNet, bits: u128) -> IpAddr {
    match range {
        IpNet::V4(net) => {
            Ipv4Addr::from_bits(net.network().to_bits() | (bits as u32 & net.hostmask().to_bits())).into()
        }
        IpNet::V6(net) => {
            Ipv6Addr::from_bits(net.network().to_bits() | (bits & net.hostmask().to_bits())).into()
        }
    }
}

proptest! {
    #[test]
    fn no_private_range_holds_a_global_address(range in any_range(), bits in any::<[u128; 8]>()) {
        if is_wholly_private(range) {
            for bits in bits.into_iter().chain([0, u128::MAX]) {
                prop_assert!(!is_global(inside(range, bits)), "{} in {range}", inside(range, bits));
            }
        }
    }

    #[test]
    fn small_ranges_are_judged_as_their_addresses_one_by_one(address in any_range(), fold in 0..=6u8) {
        let range = IpNet::new(address.network(), address.max_prefix_len() - fold).unwrap().trunc();
        let teredo: IpNet = "2001::/32".parse().unwrap();
        let none_global = (0..1u128 << fold).all(|bits| !is_global(inside(range, bits)));
        prop_assert!(teredo.contains(&range) || is_wholly_private(range) == none_global, "{range}");
    }
}

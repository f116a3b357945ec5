use super::system_upstreams;

fn check(resolv_conf: &str, expected: &[&str]) {
    let expected: Vec<_> = expected.iter().map(|text| text.parse().unwrap()).collect();
    assert_eq!(system_upstreams(resolv_conf), expected, "{resolv_conf:?}");
}

#[test]
fn name_servers_in_order() {
    let text = "# a comment\nsearch example.com\nnameserver 192.0.2.53\n  nameserver\t2001:db8::53  # note\noptions ndots:5\n";
    check(text, &["192.0.2.53:53", "[2001:db8::53]:53"]);
}

#[test]
fn what_cannot_be_used_is_left_out() {
    check(
        "nameserver fe80::1%eth0\nnameserver nonsense\nnameserver\n;nameserver 1.1.1.1\nnameservers 1.1.1.1\n",
        &["127.0.0.1:53"],
    );
    check("", &["127.0.0.1:53"]);
    check("nameserver 10.0.0.1\r\n", &["10.0.0.1:53"]);
}

#[test]
fn a_long_list_is_cut() {
    assert_eq!(system_upstreams(&"nameserver 10.0.0.1\n".repeat(100)).len(), crate::limits::UPSTREAMS);
}

use crate::limits::UPSTREAMS;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

#[cfg(test)]
mod tests;

const DNS_PORT: u16 = 53;

/// The name servers that a `resolv.conf` names (resolv.conf(5)), in its order; without any, this
/// machine's, as the C library does. Search lists and options do not concern a crawler. Addresses with an
/// interface scope (`fe80::1%eth0`) are left out: nothing else here knows interfaces.
pub fn system_upstreams(resolv_conf: &str) -> Vec<SocketAddr> {
    let named: Vec<_> = resolv_conf.lines().filter_map(name_server).take(UPSTREAMS).collect();
    if named.is_empty() { vec![SocketAddr::new(Ipv4Addr::LOCALHOST.into(), DNS_PORT)] } else { named }
}

fn name_server(line: &str) -> Option<SocketAddr> {
    let mut words = line.split_ascii_whitespace();
    let keyword = words.next()?;
    let address: IpAddr = words.next()?.parse().ok()?;
    (keyword == "nameserver").then(|| SocketAddr::new(address, DNS_PORT))
}

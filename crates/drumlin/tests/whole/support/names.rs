use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::thread;

/// Starts a name server on loopback that knows what `address_of` knows: A records that hold for a minute. It lives as
/// long as the test's process.
pub(crate) fn serve(address_of: impl Fn(&str) -> Option<Ipv4Addr> + Send + 'static) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let at = socket.local_addr().expect("a bound socket");
    thread::spawn(move || {
        let mut packet = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut packet) {
            if let Some(answer) = answer(&packet[..length], &address_of) {
                let _ = socket.send_to(&answer, client);
            }
        }
    });
    at
}

/// The answer to a query with one question (RFC 1035, section 4); what comes after the question is passed over.
fn answer(query: &[u8], address_of: &impl Fn(&str) -> Option<Ipv4Addr>) -> Option<Vec<u8>> {
    const NO_SUCH_NAME: u8 = 3;
    let (name, end) = read_name(query, 12)?;
    let question = query.get(12..end + 4)?;
    let is_a = question[question.len() - 4..] == [0, 1, 0, 1];
    let address = address_of(&name);
    let record = address.filter(|_| is_a);
    let code = if address.is_some() { 0 } else { NO_SUCH_NAME };
    let mut packet =
        vec![query[0], query[1], 0x85, 0x80 | code, 0, 1, 0, u8::from(record.is_some()), 0, 0, 0, 0];
    packet.extend(question);
    if let Some(address) = record {
        packet.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
        packet.extend(address.octets());
    }
    Some(packet)
}

/// The name at `at` in lower case, and where what follows it begins.
fn read_name(packet: &[u8], mut at: usize) -> Option<(String, usize)> {
    let mut labels = Vec::new();
    loop {
        let length = usize::from(*packet.get(at)?);
        let label = packet.get(at + 1..at + 1 + length)?;
        at += 1 + length;
        if length == 0 {
            return Some((labels.join("."), at));
        }
        labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
    }
}

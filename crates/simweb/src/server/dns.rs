use super::Shared;
use crate::address::Resolution;
use crate::limits;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use tokio::net::UdpSocket;

/// How long a negative answer may be kept, in seconds (RFC 2308).
const NEGATIVE_TTL_S: u32 = 60;
const TYPE_A: u16 = 1;
const TYPE_SOA: u16 = 6;
const CLASS_IN: u16 = 1;
/// A pointer to the question's name, which always begins after the 12 bytes of the header.
const QUESTION_NAME: [u8; 2] = [0xC0, 12];

pub(crate) async fn bind(port: u16) -> io::Result<(UdpSocket, SocketAddr)> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let address = socket.local_addr()?;
    Ok((socket, address))
}

/// Answers queries until it is dropped. What is no query gets no answer.
pub(crate) async fn serve(socket: UdpSocket, shared: Rc<Shared>) {
    let mut packet = [0; limits::DNS_QUERY_BYTES];
    loop {
        let Ok((length, client)) = socket.recv_from(&mut packet).await else { continue };
        let Some(query) = Query::read(&packet[..length]) else { continue };
        let resolution = shared.web.address_of(&query.name, shared.log.elapsed_us() / 1000);
        let _ = socket.send_to(&query.answer(resolution), client).await;
    }
}

/// One question (RFC 1035 §4).
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Query<'a> {
    id: [u8; 2],
    recursion_desired: u8,
    /// The question section as it came.
    question: &'a [u8],
    pub(crate) name: String,
    kind: u16,
}

impl<'a> Query<'a> {
    /// Reads a packet with exactly one question of class IN; additional records (EDNS) are passed over.
    pub(crate) fn read(packet: &'a [u8]) -> Option<Self> {
        let (header, rest) = packet.split_at_checked(12)?;
        let is_query = header[2] & 0xF8 == 0;
        let one_question = header[4..6] == [0, 1];
        let (name, name_length) = read_name(rest)?;
        let fields = rest.get(name_length..name_length + 4)?;
        let kind = u16::from_be_bytes([fields[0], fields[1]]);
        let class = u16::from_be_bytes([fields[2], fields[3]]);
        let question = &rest[..name_length + 4];
        let id = [header[0], header[1]];
        let query = Self { id, recursion_desired: header[2] & 1, question, name, kind };
        (is_query && one_question && class == CLASS_IN).then_some(query)
    }

    /// The packet that answers it. Only addresses of version 4 exist here.
    pub(crate) fn answer(&self, resolution: Resolution) -> Vec<u8> {
        match resolution {
            Resolution::Address { address, ttl_s } if self.kind == TYPE_A => {
                let mut packet = self.head(0, 1, 0);
                record(&mut packet, &QUESTION_NAME, TYPE_A, ttl_s, &address.octets());
                packet
            }
            Resolution::Address { .. } => self.nothing(0),
            Resolution::NoSuchName => self.nothing(3),
            Resolution::ServerFailure => self.head(2, 0, 0),
        }
    }

    fn head(&self, code: u8, answers: u8, authorities: u8) -> Vec<u8> {
        const RESPONSE: u8 = 0x80;
        const AUTHORITATIVE: u8 = 0x04;
        const RECURSION_AVAILABLE: u8 = 0x80;
        let mut packet = Vec::with_capacity(128);
        packet.extend(self.id);
        packet.push(RESPONSE | AUTHORITATIVE | self.recursion_desired);
        packet.push(RECURSION_AVAILABLE | code);
        packet.extend([0, 1, 0, answers, 0, authorities, 0, 0]);
        packet.extend(self.question);
        packet
    }

    /// A negative answer, with the SOA record that lets it be kept.
    fn nothing(&self, code: u8) -> Vec<u8> {
        let mut packet = self.head(code, 0, 1);
        let mut soa = vec![0, 0];
        for number in [1, 3600, 600, 86_400, NEGATIVE_TTL_S] {
            soa.extend(number.to_be_bytes());
        }
        record(&mut packet, b"\x04test\0", TYPE_SOA, NEGATIVE_TTL_S, &soa);
        packet
    }
}

fn record(packet: &mut Vec<u8>, name: &[u8], kind: u16, ttl_s: u32, data: &[u8]) {
    packet.extend(name);
    packet.extend(kind.to_be_bytes());
    packet.extend(CLASS_IN.to_be_bytes());
    packet.extend(ttl_s.to_be_bytes());
    packet.extend((data.len() as u16).to_be_bytes());
    packet.extend(data);
}

/// The name at the start of `bytes`, with dots, and how many bytes it takes.
fn read_name(bytes: &[u8]) -> Option<(String, usize)> {
    let (mut name, mut at) = (String::new(), 0);
    loop {
        let length = usize::from(*bytes.get(at)?);
        let label = bytes.get(at + 1..at + 1 + length)?;
        at += 1 + length;
        if length == 0 {
            return Some((name, at));
        }
        if length > 63 || at > 255 {
            return None;
        }
        name.extend((!name.is_empty()).then_some('.'));
        name.push_str(std::str::from_utf8(label).ok()?);
    }
}

//! Questions and answers in datagrams (RFC 1035, section 4.2.1), with the library's messages and without its streams, pools
//! and tasks: they took most of what a name cost.

use super::inquiry::{Answered, Found, Inquiry, kept, none_found};
use crate::limits::{ALIASES, DATAGRAM_BYTES, QUERY_SENDS, SEND_AGAIN_MS};
use hickory_resolver::proto::op::{Edns, Message, MessageType, Query, ResponseCode};
use hickory_resolver::proto::rr::{Name, RData, Record, RecordType};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;
use tokio::net::UdpSocket;
use tokio::time::{Instant, timeout_at};

#[cfg(test)]
mod tests;

/// What a datagram says.
#[derive(Debug)]
enum Reply {
    Answer(Answered),
    /// Nothing that one datagram can hold: it is cut short, or an alias whose address is still to be asked for.
    Unfinished,
    /// That it knows no EDNS (RFC 6891, section 7).
    WithoutEdns,
}

/// Whether a question says that answers may be longer than 512 bytes, which some servers do not understand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extension {
    Edns,
    None,
}

/// Asks `upstream` all that is open, and notes what it answers. Returns what it left unfinished.
///
/// All questions about a name go out by one port, drawn at random by the system; each has an identifier of its own. A forged
/// answer has to guess both, as if each question had its own port (RFC 5452, section 4).
///
/// # Errors
/// There is no socket to ask by, or nothing came, in time or at all.
pub(super) async fn ask(
    upstream: SocketAddr,
    inquiry: &mut Inquiry<'_>,
) -> Result<Vec<RecordType>, AskError> {
    let socket = UdpSocket::bind((any_of(upstream), 0)).await.map_err(AskError::NoSocket)?;
    ask_by(socket, upstream, inquiry).await.map_err(AskError::NoAnswer)
}

/// Why an upstream has told nothing.
#[derive(Debug)]
pub(super) enum AskError {
    /// This machine has no socket to ask by.
    NoSocket(io::Error),
    /// The upstream cannot be reached, or says nothing.
    NoAnswer(io::Error),
}

async fn ask_by(
    socket: UdpSocket,
    upstream: SocketAddr,
    inquiry: &mut Inquiry<'_>,
) -> io::Result<Vec<RecordType>> {
    // It hears nobody else.
    socket.connect(upstream).await?;
    let open = inquiry.open();
    let questions =
        open.iter().map(|&record_type| Question::new(inquiry.name(), record_type, Extension::Edns));
    let waiting = questions.collect::<io::Result<Vec<_>>>()?;
    let mut exchange = Exchange { socket, waiting, unfinished: Vec::new() };
    for _ in 0..QUERY_SENDS {
        exchange.send().await?;
        exchange.hear(inquiry).await?;
        if exchange.waiting.is_empty() || inquiry.is_over() {
            break;
        }
    }
    if exchange.waiting.len() == open.len() {
        return Err(io::Error::new(io::ErrorKind::TimedOut, "no answer in time"));
    }
    Ok(exchange.unfinished)
}

/// Questions about one name on their way.
struct Exchange {
    socket: UdpSocket,
    waiting: Vec<Question>,
    unfinished: Vec<RecordType>,
}

impl Exchange {
    async fn send(&self) -> io::Result<()> {
        for question in &self.waiting {
            self.socket.send(&question.bytes).await?;
        }
        Ok(())
    }

    /// Takes answers in until there is nothing to wait for, or it is time to ask again.
    async fn hear(&mut self, inquiry: &mut Inquiry<'_>) -> io::Result<()> {
        let again_at = Instant::now() + Duration::from_millis(SEND_AGAIN_MS);
        let mut packet = vec![0; DATAGRAM_BYTES];
        while !self.waiting.is_empty() && !inquiry.is_over() {
            let until = inquiry.grace_until().map_or(again_at, |grace| grace.min(again_at));
            let Ok(length) = timeout_at(until, self.socket.recv(&mut packet)).await else { break };
            if let Some(plainer) = self.take(&packet[..length?], inquiry)? {
                self.socket.send(&plainer.bytes).await?;
                self.waiting.push(plainer);
            }
        }
        Ok(())
    }

    /// Says what is to be asked instead, if so.
    fn take(&mut self, packet: &[u8], inquiry: &mut Inquiry<'_>) -> io::Result<Option<Question>> {
        let replies = self.waiting.iter().map(|question| question.reply(packet));
        let Some((at, reply)) = replies.enumerate().find_map(|(at, reply)| Some((at, reply?))) else {
            return Ok(None);
        };
        let query = self.waiting.swap_remove(at).query;
        match reply {
            Reply::Answer(answer) => inquiry.note(query.query_type(), answer),
            Reply::Unfinished => self.unfinished.push(query.query_type()),
            Reply::WithoutEdns => {
                return Question::new(query.name(), query.query_type(), Extension::None).map(Some);
            }
        }
        Ok(None)
    }
}

/// Any address of ours that can talk to it.
fn any_of(upstream: SocketAddr) -> IpAddr {
    match upstream {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    }
}

/// A question as it is sent.
struct Question {
    id: u16,
    query: Query,
    extension: Extension,
    bytes: Vec<u8>,
}

impl Question {
    fn new(name: &Name, record_type: RecordType, extension: Extension) -> io::Result<Self> {
        let query = Query::query(name.clone(), record_type);
        let mut message = Message::query();
        message.metadata.recursion_desired = true;
        message.add_query(query.clone());
        if extension == Extension::Edns {
            let mut edns = Edns::new();
            edns.set_max_payload(DATAGRAM_BYTES as u16);
            message.set_edns(edns);
        }
        Ok(Self { id: message.id, query, extension, bytes: message.to_vec().map_err(io::Error::other)? })
    }

    /// What `packet` says, if it answers this question and nothing else: everything else is noise, or forged (RFC 5452, section
    /// 9.1).
    fn reply(&self, packet: &[u8]) -> Option<Reply> {
        if packet.first_chunk() != Some(&self.id.to_be_bytes()) {
            return None;
        }
        let message = Message::from_vec(packet).ok()?;
        if message.message_type != MessageType::Response {
            return None;
        }
        let is_mine = message.queries == [self.query.clone()];
        // It may not even say what it was asked.
        let is_lost = matches!(message.response_code, ResponseCode::FormErr | ResponseCode::NotImp)
            && self.extension == Extension::Edns
            && (is_mine || message.queries.is_empty());
        if is_lost { Some(Reply::WithoutEdns) } else { is_mine.then(|| self.read(&message)) }
    }

    fn read(&self, message: &Message) -> Reply {
        if message.truncation {
            return Reply::Unfinished;
        }
        match message.response_code {
            ResponseCode::NoError => self.found(message),
            code => self.nothing(code),
        }
    }

    /// The addresses at the end of the aliases, in whatever order these stand (RFC 1034, section 3.6.2).
    fn found(&self, message: &Message) -> Reply {
        let (mut owner, mut ttl_s) = (self.query.name(), u32::MAX);
        for _ in 0..ALIASES {
            let alias = message.answers.iter().find_map(|record| match &record.data {
                RData::CNAME(target) if record.name == *owner => Some((&target.0, record.ttl)),
                _ => None,
            });
            let Some((target, alias_ttl_s)) = alias else { break };
            owner = target;
            ttl_s = ttl_s.min(alias_ttl_s);
        }
        let is_wanted =
            |record: &&Record| record.name == *owner && record.record_type() == self.query.query_type();
        let records = || message.answers.iter().filter(is_wanted);
        let addresses = kept(records().filter_map(|record| record.data.ip_addr()));
        let ttl_s = records().map(|record| record.ttl).fold(ttl_s, u32::min);
        if !addresses.is_empty() {
            return Reply::Answer(Ok(Found { addresses, ttl_s }));
        }
        // Where the zone at the end of the aliases is named, it has been asked (RFC 2308, section 2.2).
        let is_final = message.authorities.iter().any(|record| record.record_type() == RecordType::SOA);
        if owner != self.query.name() && !is_final {
            return Reply::Unfinished;
        }
        self.nothing(ResponseCode::NoError)
    }

    fn nothing(&self, code: ResponseCode) -> Reply {
        Reply::Answer(Err(none_found(self.query.name(), self.query.query_type(), code)))
    }
}

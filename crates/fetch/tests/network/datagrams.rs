//! Names asked for over a wire that loses, forges and cuts datagrams.

use crate::dns::{answer, check_addresses, check_refusal};
use crate::support::config;
use crawler::FailureKind;
use fetch::{AddressPolicy, FetchConfig, Fetcher};
use hickory_resolver::proto::op::{Message, OpCode, ResponseCode};
use hickory_resolver::proto::rr::RData;
use std::collections::BTreeSet;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, UdpSocket};

/// What happens to datagrams on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wire {
    /// The first question of each kind is lost.
    LosesTheFirst,
    /// Before each answer come others that nobody asked for.
    BringsForgeries,
    /// No answer fits into one.
    CutsShort,
    /// The server knows no EDNS, and does not say what it was asked with it.
    KnowsNoEdns,
}

/// A name server behind such a wire, for datagrams and TCP at one port; and who asked it by datagram, for what.
async fn serve_behind(wire: Wire) -> (SocketAddr, Arc<Mutex<Vec<(SocketAddr, String)>>>) {
    let (socket, listener) = loop {
        let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
        if let Ok(listener) = TcpListener::bind(socket.local_addr().unwrap()).await {
            break (socket, listener);
        }
    };
    let (address, asked) = (socket.local_addr().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let log = asked.clone();
    tokio::spawn(async move {
        let mut packet = [0; 1500];
        while let Ok((length, client)) = socket.recv_from(&mut packet).await {
            let question = Message::from_vec(&packet[..length]).unwrap();
            let what = question.queries[0].to_string();
            let is_first = !log.lock().unwrap().iter().any(|(_, earlier)| *earlier == what);
            log.lock().unwrap().push((client, what));
            if is_first && wire == Wire::LosesTheFirst {
                continue;
            }
            for packet in datagrams(&question, wire) {
                socket.send_to(&packet, client).await.unwrap();
            }
        }
    });
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                while let Ok(length) = stream.read_u16().await {
                    let mut packet = vec![0; length.into()];
                    stream.read_exact(&mut packet).await.unwrap();
                    let reply = answer(&Message::from_vec(&packet).unwrap(), 1).unwrap().to_vec().unwrap();
                    stream.write_u16(reply.len().try_into().unwrap()).await.unwrap();
                    stream.write_all(&reply).await.unwrap();
                }
            });
        }
    });
    (address, asked)
}

/// What comes out of the wire for one question.
fn datagrams(question: &Message, wire: Wire) -> Vec<Vec<u8>> {
    let mut reply = answer(question, 1).unwrap();
    if wire == Wire::KnowsNoEdns && question.edns.is_some() {
        let id = question.metadata.id;
        return vec![Message::error_msg(id, OpCode::Query, ResponseCode::FormErr).to_vec().unwrap()];
    }
    let mut packets = Vec::new();
    if wire == Wire::BringsForgeries {
        let mut forged = reply.clone();
        for record in &mut forged.answers {
            record.data = RData::A(Ipv4Addr::new(198, 51, 100, 1).into());
        }
        let mut misnamed = forged.clone();
        misnamed.queries[0].set_name("other.test.".parse().unwrap());
        forged.metadata.id ^= 1;
        packets = vec![Vec::new(), b"noise".to_vec(), forged.to_vec().unwrap(), misnamed.to_vec().unwrap()];
    }
    if wire == Wire::CutsShort {
        reply.metadata.truncation = true;
        reply.answers.clear();
    }
    packets.push(reply.to_vec().unwrap());
    packets
}

#[tokio::test]
async fn whatever_happens_to_datagrams_the_answer_is_that_of_the_zone() {
    let both = ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"];
    for (wire, datagrams) in
        [(Wire::LosesTheFirst, 4), (Wire::BringsForgeries, 2), (Wire::CutsShort, 2), (Wire::KnowsNoEdns, 4)]
    {
        let (address, asked) = serve_behind(wire).await;
        let config = FetchConfig { dns: vec![address], policy: AddressPolicy::public(), ..config() };
        let fetcher = Fetcher::new(config).unwrap();
        check_addresses(&fetcher, "public.test", &both).await;
        assert_eq!(asked.lock().unwrap().len(), datagrams);
        check_addresses(&fetcher, "aliased.test", &both).await;
        for (absent, words) in [("absent.test", "A: no such name"), ("empty.test", "A: no address")] {
            check_refusal(&fetcher, absent, FailureKind::NameNotFound, words).await;
        }
    }
}

/// A forger has to guess one of as many ports as there are names under way.
#[tokio::test]
async fn every_name_is_asked_for_from_a_port_of_its_own() {
    let (address, asked) = serve_behind(Wire::BringsForgeries).await;
    let fetcher = Fetcher::new(FetchConfig { dns: vec![address], ..config() }).unwrap();
    let names: Vec<_> = (0..20).map(|number| format!("absent-{number}.test")).collect();
    for name in &names {
        check_refusal(&fetcher, name, FailureKind::NameNotFound, name).await;
    }
    let clients: BTreeSet<_> = asked.lock().unwrap().iter().map(|(client, _)| *client).collect();
    assert!(clients.len() > names.len() / 2, "{clients:?}");
}

use super::client::{Answer, Client};
use super::hrefs;
use crate::checker::{forbidden, repeats, strays};
use crate::server::{Running, ServerOptions, start};
use crate::{
    Certificate, Contact, HostId, Leaf, NameFate, Pace, Place, Plan, Resolution, Scheme, Scope, WebConfig,
    What,
};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, UdpSocket};
use std::sync::{Arc, Mutex};
use stdx::{Set, set};

fn serve(config: WebConfig) -> Running {
    start(WebConfig { http_port: 0, https_port: 0, slow_ms: 30, ..config }, ServerOptions::default()).unwrap()
}

fn client(server: &Running) -> Client<'_> {
    Client { server, accept: "" }
}

/// An ordinary host of a web, under a scheme.
fn ordinary(server: &Running, scheme: Scheme) -> Place {
    let web = &server.web;
    let plain = |host: &HostId| {
        let character = web.character(*host);
        character.scheme == scheme
            && character.pace == Pace::Prompt
            && character.certificate == Certificate::Good
    };
    let host = web.hosts().find(plain).unwrap();
    web.place(&web.root_of(host)).unwrap()
}

fn leaf(server: &Running, leaf: Leaf) -> std::io::Result<Answer> {
    let place = ordinary(server, Scheme::Http).with(What::Leaf(leaf, 0));
    client(server).get(&server.web.url_of(&place))
}

#[test]
fn a_crawl_over_sockets_finds_the_truth_and_leaves_its_traces() {
    let mut config = WebConfig::small(5, 150).calm();
    config.hosts.https = 500;
    let server = serve(config);
    let (mut known, mut queue): (Set<String>, _) = (set(), server.web.seeds(1));
    let mut pages: Vec<String> = Vec::new();
    while let Some(url) = queue.pop() {
        let url = server.web.canonical(&url).unwrap();
        if !known.insert(url.clone()) {
            continue;
        }
        let answer = client(&server).get(&url).unwrap();
        queue.extend(answer.header("location").map(str::to_owned));
        if answer.status == 200 {
            queue.extend(hrefs(&url, &answer.body));
            pages.push(url);
        }
    }
    pages.sort();
    let truth = server.web.truth(&Plan { seeds: &server.web.seeds(1), scope: Scope::Any, depth: None });
    assert_eq!(pages, truth.pages().map(str::to_owned).collect::<Vec<_>>());
    let log = server.log.contacts();
    assert_eq!(log.len(), known.len());
    assert!(log.iter().any(|contact| contact.scheme == Scheme::Https));
    assert!(strays(&log, &server.web).is_empty() && repeats(&log, &server.web).is_empty());
    assert!(forbidden(&log, &server.web).is_empty());
    assert!(log.iter().all(|contact| contact.start_us <= contact.end_us && contact.address.is_loopback()));
}

#[test]
fn nothing_comes_to_a_settled_server_from_clients_who_have_left() {
    let server = serve(WebConfig::small(5, 150));
    let url = server.web.url_of(&ordinary(&server, Scheme::Http));
    let host = url.split('/').nth(2).unwrap();
    let settled = |_| {
        for _ in 0..10 {
            let mut stream = TcpStream::connect(("127.0.0.1", server.http_port())).unwrap();
            write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        }
        server.settle().unwrap();
        (server.log.len(), server.log.elapsed_us())
    };
    let settled: Vec<(usize, u64)> = (0..10).map(settled).collect();
    let log = server.log.contacts();
    // A request whose client leaves at once may go unanswered, but not many do.
    assert!(log.len() >= 50, "{}", log.len());
    for (known, at_us) in settled {
        assert_eq!(log.iter().filter(|contact| contact.start_us <= at_us).count(), known);
    }
}

#[test]
fn gzip_is_sent_to_whoever_takes_it() {
    let server = serve(WebConfig::small(5, 150));
    let url = server.web.url_of(&ordinary(&server, Scheme::Http));
    let plain = client(&server).get(&url).unwrap();
    let zipped = Client { server: &server, accept: "Accept-Encoding: br, gzip;q=1\r\n" }.get(&url).unwrap();
    assert_eq!((plain.header("content-encoding"), zipped.header("content-encoding")), (None, Some("gzip")));
    let mut body = vec![0; plain.body.len()];
    libdeflater::Decompressor::new().gzip_decompress(&zipped.body, &mut body).unwrap();
    assert_eq!(body, plain.body);
    assert_eq!(zipped.header("content-length"), Some(zipped.body.len().to_string().as_str()));
}

#[test]
fn ruined_bodies_end_as_they_are_meant_to() {
    let server = serve(WebConfig::small(5, 150));
    let cut = leaf(&server, Leaf::Cut).unwrap();
    let announced: usize = cut.header("content-length").unwrap().parse().unwrap();
    assert!(cut.body.len() < announced && cut.ending.is_ok(), "{} of {announced}", cut.body.len());
    let reset = leaf(&server, Leaf::Reset).unwrap();
    assert_eq!(reset.ending.unwrap_err().kind(), ErrorKind::ConnectionReset);
    assert!(!reset.body.is_empty());
    assert_eq!(leaf(&server, Leaf::Gone).unwrap().status, 410);
}

#[test]
fn a_broken_host_resets_and_is_logged() {
    let mut config = WebConfig::small(5, 150).calm();
    config.hosts.broken = 1000;
    let server = serve(config);
    let host = server.web.hosts().find(|host| server.web.character(*host).pace == Pace::Broken).unwrap();
    let failed = client(&server).get(&server.web.root_of(host)).unwrap_err();
    assert_eq!(failed.kind(), ErrorKind::ConnectionReset);
    let log = server.log.contacts();
    assert_eq!((log.len(), log[0].status, log[0].body_bytes), (1, 0, 0));
}

#[test]
fn certificates_verify_unless_they_are_meant_not_to() {
    let mut config = WebConfig::small(5, 2_000).calm();
    (config.hosts.https, config.hosts.bad_certificates) = (1000, 500);
    let server = serve(config);
    let mut tried: Set<Certificate> = set();
    for host in server.web.hosts() {
        let fate = server.web.certificate_of(host);
        if tried.insert(fate) {
            let answer = client(&server).get(&server.web.root_of(host));
            assert_eq!(answer.is_ok(), fate == Certificate::Good, "{fate:?}: {answer:?}");
        }
    }
    assert_eq!(tried.len(), 4);
}

#[test]
fn a_connection_serves_request_after_request() {
    let server = serve(WebConfig::small(5, 150));
    let place = ordinary(&server, Scheme::Http);
    let host = server.web.name_of(place.host);
    let mut stream = client(&server).connect(&host, Scheme::Http).unwrap();
    let request = |end| format!("HEAD /robots.txt HTTP/1.1\r\nHost: {host}\r\n{end}\r\n");
    write!(stream, "{}{}", request(""), request("Connection: close\r\n")).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("HTTP/1.1 ").count(), 2, "{text}");
    let ports: Set<u16> = server.log.contacts().iter().map(|contact| contact.client_port).collect();
    assert_eq!((server.log.len(), ports.len()), (2, 1));
}

#[test]
fn a_connection_ends_with_the_answers_it_may_have() {
    let config = WebConfig { http_port: 0, https_port: 0, ..WebConfig::small(5, 150) };
    let server =
        start(config, ServerOptions { answers_a_connection: Some(2), ..Default::default() }).unwrap();
    let place = ordinary(&server, Scheme::Http);
    let host = server.web.name_of(place.host);
    let mut stream = client(&server).connect(&host, Scheme::Http).unwrap();
    write!(stream, "{}", format!("HEAD /robots.txt HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(3)).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(
        (text.matches("HTTP/1.1 ").count(), text.matches("connection: close").count()),
        (2, 1),
        "{text}"
    );
}

#[test]
fn names_are_resolved_over_udp() {
    let server = serve(WebConfig { flap_ms: 1 << 40, ..WebConfig::small(5, 4_000) });
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut tried = Vec::new();
    for host in server.web.hosts() {
        let fate = server.web.character(host).name;
        if tried.contains(&fate) {
            continue;
        }
        tried.push(fate);
        let name = server.web.name_of(host);
        let answer = ask(&socket, &server, &name, 1);
        let expected = server.web.address_of(&name, 0);
        match expected {
            Resolution::Address { address, ttl_s } => {
                assert_eq!((answer[3] & 15, answer[7]), (0, 1), "{name}");
                assert_eq!(answer[answer.len() - 4..], address.octets());
                assert_eq!(answer[answer.len() - 10..answer.len() - 6], ttl_s.to_be_bytes());
            }
            Resolution::NoSuchName => assert_eq!((answer[3] & 15, answer[7], answer[9]), (3, 0, 1), "{name}"),
            Resolution::ServerFailure => assert_eq!((answer[3] & 15, answer[7]), (2, 0), "{name}"),
        }
    }
    assert!(tried.len() == 4 && tried.contains(&NameFate::Dead), "{tried:?}");
    let six = ask(&socket, &server, &server.web.name_of(HostId::www(0)), 28);
    assert_eq!(
        (six[3] & 15, six[7], six[9]),
        (0, 0, 1),
        "no address of version 6, said so that it can be kept"
    );
}

fn ask(socket: &UdpSocket, server: &Running, name: &str, kind: u8) -> Vec<u8> {
    let mut query = vec![7, 9, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in name.split('.') {
        query.push(label.len() as u8);
        query.extend(label.bytes());
    }
    query.extend([0, 0, kind, 0, 1]);
    socket.send_to(&query, server.dns).unwrap();
    let mut answer = vec![0; 512];
    let length = socket.recv(&mut answer).unwrap();
    assert_eq!(answer[..2], query[..2]);
    answer.truncate(length);
    answer
}

#[test]
fn the_log_is_written_as_it_grows() {
    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);
    impl Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let paper = Paper::default();
    let options = ServerOptions { log: Some(Box::new(paper.clone())), ..Default::default() };
    let server =
        start(WebConfig { http_port: 0, https_port: 0, ..WebConfig::small(5, 150) }, options).unwrap();
    client(&server).get(&server.web.url_of(&ordinary(&server, Scheme::Http))).unwrap();
    let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<Contact> = text.lines().map(|line| Contact::parse(line).unwrap()).collect();
    assert_eq!(lines, server.log.contacts());
    assert_eq!(lines.len(), 1);
}

#[test]
fn a_port_that_is_taken_is_named() {
    let first = serve(WebConfig::small(5, 150));
    let config = WebConfig { http_port: first.http_port(), https_port: 0, ..WebConfig::small(5, 150) };
    let error = start(config, ServerOptions::default()).err().unwrap().to_string();
    assert!(error.contains("HTTP") && error.contains(&first.http_port().to_string()), "{error}");
}

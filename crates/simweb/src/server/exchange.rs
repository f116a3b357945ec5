use super::Shared;
use super::bodies::Bodies;
use super::sent::{Sent, Visit};
use super::wire::Cut;
use crate::answer::Behaviour;
use crate::character::Scheme;
use crate::contact::Contact;
use crate::respond::{Head, Method, Request};
use crate::validators::Conditions;
use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    VARY,
};
use http::{HeaderMap, HeaderValue};
use hyper::body::Incoming;
use std::cell::Cell;
use std::io;
use std::net::Ipv4Addr;
use std::rc::Rc;
use std::time::Duration;

/// What all requests on one connection have in common.
pub(crate) struct Connection {
    pub(crate) client_port: u16,
    pub(crate) address: Ipv4Addr,
    pub(crate) scheme: Scheme,
    pub(crate) cut: Cut,
    pub(crate) shared: Rc<Shared>,
    pub(crate) answers: Cell<u32>,
}

/// Answers one request as the web says, behaviour included.
pub(crate) async fn answer(
    connection: Rc<Connection>,
    request: http::Request<Incoming>,
) -> io::Result<http::Response<Sent>> {
    let start_us = connection.shared.log.elapsed_us();
    let (host, target) = (host_of(&request), target_of(&request));
    let head = connection.shared.web.head(&Request {
        scheme: connection.scheme,
        host: &host,
        target: &target,
        method: method_of(request.method()),
        conditions: Conditions {
            if_none_match: text(request.headers(), IF_NONE_MATCH),
            if_modified_since: text(request.headers(), IF_MODIFIED_SINCE),
        },
        time_ms: start_us / 1000,
    });
    let contact = connection.contact(start_us, host, target, head.status);
    let mut visit = Visit::new(connection.shared.log.clone(), contact);
    match head.behaviour {
        Behaviour::Slow { wait_ms } => tokio::time::sleep(Duration::from_millis(wait_ms.into())).await,
        Behaviour::Reset { after_bytes: 0 } => {
            visit.refuse();
            connection.cut.set();
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        _ => {}
    }
    Ok(connection.response(&head, visit, accepts_gzip(request.headers())))
}

/// What the client takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    Gzip,
    Identity,
}

impl Connection {
    fn contact(&self, start_us: u64, host: String, target: String, status: u16) -> Contact {
        let (client_port, address, scheme) = (self.client_port, self.address, self.scheme);
        Contact {
            start_us,
            end_us: start_us,
            client_port,
            address,
            scheme,
            host,
            target,
            status,
            body_bytes: 0,
        }
    }

    fn response(&self, head: &Head, visit: Visit, accepted: Coding) -> http::Response<Sent> {
        let mut response = http::Response::builder().status(head.status);
        for header in &head.headers {
            response = response.header(header.name, &header.value);
        }
        self.answers.set(self.answers.get() + 1);
        if self.shared.answers_a_connection.is_some_and(|most| self.answers.get() >= most) {
            response = response.header(CONNECTION, "close");
        }
        let coding = head.body.filter(Bodies::compresses).map_or(Coding::Identity, |_| accepted);
        if coding == Coding::Gzip {
            response = response.header(CONTENT_ENCODING, "gzip").header(VARY, "Accept-Encoding");
        }
        let bytes = self.bytes(head, coding);
        if matches!(
            head.behaviour,
            Behaviour::Truncate { .. } | Behaviour::Reset { .. } | Behaviour::Drip { .. }
        ) {
            response = response.header(CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        }
        let sent = Sent::new(bytes, head.behaviour, self.cut.clone(), visit);
        response.body(sent).expect("the web's headers are valid")
    }

    fn bytes(&self, head: &Head, coding: Coding) -> Bytes {
        match (head.body, coding) {
            (None, _) => Bytes::new(),
            (Some(body), Coding::Gzip) => self.shared.bodies.borrow_mut().gzip(&self.shared.web, body),
            (Some(body), Coding::Identity) => Bytes::from(self.shared.web.body(&body)),
        }
    }
}

fn accepts_gzip(headers: &HeaderMap) -> Coding {
    let accepted = text(headers, ACCEPT_ENCODING).unwrap_or_default();
    if accepted.split([',', ';', ' ']).any(|coding| coding == "gzip") {
        Coding::Gzip
    } else {
        Coding::Identity
    }
}

fn host_of(request: &http::Request<Incoming>) -> String {
    let authority = request.uri().authority().map(http::uri::Authority::as_str);
    let host = text(request.headers(), HOST).or(authority).unwrap_or_default();
    host.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

fn target_of(request: &http::Request<Incoming>) -> String {
    request.uri().path_and_query().map_or("/", http::uri::PathAndQuery::as_str).to_owned()
}

fn method_of(method: &http::Method) -> Method {
    match *method {
        http::Method::GET => Method::Get,
        http::Method::HEAD => Method::Head,
        _ => Method::Other,
    }
}

fn text(headers: &HeaderMap, name: http::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

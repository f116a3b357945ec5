use crate::answer::{Answer, Behaviour, BodyId, Media};
use crate::character::{Character, Charset, Scheme, robots};
use crate::place::{Place, What};
use crate::prose::write_sentence;
use crate::robots::RobotsClass;
use crate::validators::{Conditions, Validators};
use crate::web::{Met, Web};
use crate::words::Language;
use libdeflater::{CompressionLvl, Compressor};
use stdx::Rng;

/// What is asked of a web.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// Over which of the two ports.
    pub scheme: Scheme,
    /// The Host header, in any case, without port.
    pub host: &'a str,
    /// Path and query as they stand in the request line.
    pub target: &'a str,
    /// GET, HEAD or something else.
    pub method: Method,
    /// What the client has.
    pub conditions: Conditions<'a>,
    /// Milliseconds since the web began.
    pub time_ms: u64,
}

/// An HTTP method, as far as it makes a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The body is wanted.
    Get,
    /// It is not.
    Head,
    /// Answered with 405.
    Other,
}

/// A whole response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// In the order to be sent; Content-Length and what the transport adds are not among them.
    pub headers: Vec<Header>,
    /// The body, uncompressed.
    pub body: Vec<u8>,
    /// What the server does besides.
    pub behaviour: Behaviour,
}

/// One header field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// In lower case.
    pub name: &'static str,
    /// ASCII.
    pub value: String,
}

/// A response whose body is made later, or was made before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The HTTP status.
    pub status: u16,
    /// As in [`Response`].
    pub headers: Vec<Header>,
    /// What the server does besides.
    pub behaviour: Behaviour,
    /// For [`Web::body`]; `None` for a response without a body.
    pub body: Option<BodyId>,
}

/// The smallest PNG there is: one grey pixel.
const PNG: [u8; 67] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0,
    0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63,
    0xA8, 7, 0, 0, 0x81, 0, 0x81, 0x4F, 0xD4, 0x72, 0x88, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42,
    0x60, 0x82,
];
const PDF: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n\
                   trailer<</Root 1 0 R>>\n%%EOF\n";
/// Gzip level of sitemap parts: the sooner done the better.
const SITEMAP_LEVEL: i32 = 1;

impl Web {
    /// The whole response to a request. A host that is not of this web is answered with 421.
    pub fn respond(&self, request: &Request) -> Response {
        let head = self.head(request);
        let body = head.body.map(|body| self.body(&body)).unwrap_or_default();
        Response { status: head.status, headers: head.headers, body, behaviour: head.behaviour }
    }

    /// The response without its bytes, which [`Web::body`] makes.
    pub fn head(&self, request: &Request) -> Head {
        let bodiless =
            |status| Head { status, headers: Vec::new(), behaviour: Behaviour::Normal, body: None };
        if request.method == Method::Other {
            return bodiless(405);
        }
        let Some(Met { place, character }) = self.meet(request.scheme, request.host, request.target) else {
            return bodiless(421);
        };
        let answer = self.answer(place, &character, request.time_ms);
        let mut headers = self.headers(&answer, character.charset);
        let validators = validators_at(place, &character);
        let field = validators.field(self.content(&answer.body), request.time_ms);
        let unchanged = answer.status == 200 && validators.says_unchanged(&field, request.conditions);
        headers.push(field);
        let status = if unchanged { 304 } else { answer.status };
        let body = (!unchanged && request.method == Method::Get).then_some(answer.body);
        Head { status, headers, behaviour: answer.behaviour, body }
    }

    /// The bytes that an id from [`Web::head`] names, uncompressed.
    pub fn body(&self, body: &BodyId) -> Vec<u8> {
        let place = body.place;
        match (body.media, place.what) {
            (_, What::Robots | What::Policy) => self.robots_text(place),
            (_, What::Sitemap) => self.sitemap(place).into_bytes(),
            (Media::Gzip, What::SitemapPart(part)) => gzip(self.sitemap_part(place, part).as_bytes()),
            (_, What::SitemapPart(part)) => self.sitemap_part(place, part).into_bytes(),
            (Media::Html, _) if body.status == 200 => self.html(body),
            (Media::Html, _) => notice(body.status),
            (Media::Text, _) => self.notes(body),
            (Media::Png, _) => PNG.to_vec(),
            (Media::Pdf | Media::Xml | Media::Gzip, _) => PDF.as_bytes().to_vec(),
        }
    }

    fn headers(&self, answer: &Answer, charset: Charset) -> Vec<Header> {
        let mut headers = vec![
            Header { name: "server", value: "simweb".to_owned() },
            Header { name: "content-type", value: content_type(&answer.body, charset).to_owned() },
        ];
        if let Some(target) = answer.redirect {
            headers.push(Header { name: "location", value: self.url_of(&target) });
            if target == answer.body.place {
                headers.push(Header { name: "set-cookie", value: "seen=1".to_owned() });
            }
        }
        if let Some(seconds) = answer.retry_after_s {
            headers.push(Header { name: "retry-after", value: seconds.to_string() });
        }
        headers
    }

    fn robots_text(&self, place: Place) -> Vec<u8> {
        let sitemap = self.url_of(&place.with(What::Sitemap));
        let class = match place.what {
            What::Policy => RobotsClass::Redirected,
            _ => robots(&self.config, place.host),
        };
        class.text(self.config.crawl_delay_s, &sitemap).into_bytes()
    }

    fn notes(&self, body: &BodyId) -> Vec<u8> {
        let language = self.character(body.place.host).language;
        paragraph(language, self.content(body)).into_bytes()
    }
}

/// Nobody lies about a robots.txt or a sitemap.
fn validators_at(place: Place, host: &Character) -> Validators {
    match (host.validators, place.what) {
        (said, What::Page(_)) => said,
        (Validators::Dates, _) => Validators::Dates,
        _ => Validators::Tags,
    }
}

fn content_type(body: &BodyId, charset: Charset) -> &'static str {
    let page = body.status == 200 && body.place.what != What::Robots;
    match (body.media, charset) {
        (Media::Html, Charset::Utf8Header) => "text/html; charset=utf-8",
        (Media::Html, Charset::Latin1Header) if page => "text/html; charset=ISO-8859-1",
        (Media::Html, _) => "text/html",
        (Media::Text, _) => "text/plain; charset=utf-8",
        (Media::Xml, _) => "application/xml",
        (Media::Gzip, _) => "application/gzip",
        (Media::Pdf, _) => "application/pdf",
        (Media::Png, _) => "image/png",
    }
}

fn paragraph(language: Language, seed: u64) -> String {
    let (mut rng, mut text) = (Rng::new(seed), String::new());
    for _ in 0..8 {
        write_sentence(language, &mut rng, &mut text);
        text.push('\n');
    }
    text
}

fn notice(status: u16) -> Vec<u8> {
    format!(
        "<!DOCTYPE html>\n<html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>\n"
    )
    .into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let level = CompressionLvl::new(SITEMAP_LEVEL).expect("level 1 exists");
    let mut compressor = Compressor::new(level);
    let mut out = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut out).expect("the bound is enough");
    out.truncate(length);
    out
}

use crate::answer::{BodyId, HEALED_MS};
use crate::character::{Character, Scheme};
use crate::host::HostId;
use crate::links::{Dress, Link};
use crate::place::Place;
use crate::web::Web;

/// The links of a page: their URLs and keys in one allocation, which the next page uses again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkList {
    text: String,
    spans: Vec<Span>,
    /// What the spans are written from.
    links: Vec<Link>,
}

/// Where a link is in the text: its URL up to `url_end`, and behind it the key, where that is another text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    url_end: u32,
    end: u32,
    name: u8,
    name_end: u8,
    host: HostId,
}

/// One link of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlink<'a> {
    /// Where it leads, absolute and without fragment.
    pub url: &'a str,
    /// What tells it from other URLs: `http`, no tracking, no session, parameters in order. What `weburl` makes of it.
    pub key: &'a str,
    /// The host.
    pub host: HostId,
    /// Its name.
    pub name: &'a str,
}

impl LinkList {
    /// The URLs in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.outlinks().map(|link| link.url)
    }

    /// The links in order.
    pub fn outlinks(&self) -> impl Iterator<Item = Outlink<'_>> {
        let starts = [0].into_iter().chain(self.spans.iter().map(|span| span.end));
        starts.zip(&self.spans).map(|(start, span)| {
            let url = &self.text[start as usize..span.url_end as usize];
            let key = &self.text[span.url_end as usize..span.end as usize];
            let name = &url[usize::from(span.name)..usize::from(span.name_end)];
            Outlink { url, key: if key.is_empty() { url } else { key }, host: span.host, name }
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// About as many bytes as the URLs take: no fewer.
    pub fn url_bytes(&self) -> usize {
        self.text.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }
}

impl Web {
    /// The links that the body at `url` has if it is an HTML page with status 200, into `list` in document order, repeats
    /// included; none if the URL is of another web. Gives what [`PageShape::content`](crate::PageShape) says of it.
    pub fn list_links(&self, url: &str, list: &mut LinkList) -> Option<u64> {
        list.clear();
        let place = self.place(url)?;
        let body = self.answer(place, &self.character(place.host), HEALED_MS).body;
        self.list(&body, list);
        Some(self.content(&body))
    }

    pub(crate) fn list(&self, body: &BodyId, list: &mut LinkList) {
        list.clear();
        let mut links = std::mem::take(&mut list.links);
        self.draw_links(body, &mut links);
        let home = self.head_to(body.place);
        let mut away: Option<Head> = None;
        for link in &links {
            if home.is_of(link) {
                list.push(self, &home, link);
                continue;
            }
            let head =
                away.take().filter(|head| head.is_of(link)).unwrap_or_else(|| self.head_to(link.place));
            list.push(self, &head, link);
            away = Some(head);
        }
        list.links = links;
    }

    fn head_to(&self, place: Place) -> Head {
        let mut text = String::with_capacity(64);
        self.write_authority(&place, &mut text);
        let name = place.scheme.as_str().len() + "://".len();
        let name_end = text[name..].find(':').map_or(text.len(), |at| name + at);
        let character = self.character(place.host);
        Head {
            host: place.host,
            scheme: place.scheme,
            character,
            text,
            name: name as u8,
            name_end: name_end as u8,
        }
    }
}

/// What the URLs of a host have in common. Nearly all links stay on the host, and many of the others lead to the same one,
/// so that it is made once for many.
struct Head {
    host: HostId,
    scheme: Scheme,
    character: Character,
    /// Scheme, host and port.
    text: String,
    /// Where in it the host stands.
    name: u8,
    name_end: u8,
}

impl Head {
    fn is_of(&self, link: &Link) -> bool {
        (self.host, self.scheme) == (link.place.host, link.place.scheme)
    }

    /// What keys begin with: `https` is written `http`.
    fn key_text(&self) -> [&str; 2] {
        ["http", &self.text[self.scheme.as_str().len()..]]
    }
}

impl LinkList {
    fn clear(&mut self) {
        self.text.clear();
        self.spans.clear();
    }

    fn push(&mut self, web: &Web, head: &Head, link: &Link) {
        self.text.push_str(&head.text);
        web.write_dressed(&head.character, link, &mut self.text);
        let url_end = self.text.len() as u32;
        let is_key =
            link.dress == Dress::Plain && link.place.session.is_none() && head.scheme == Scheme::Http;
        if !is_key {
            let plain = Place { session: None, ..link.place };
            self.text.extend(head.key_text());
            web.write_target(&head.character, &plain, &mut self.text);
        }
        let end = self.text.len() as u32;
        self.spans.push(Span { url_end, end, name: head.name, name_end: head.name_end, host: head.host });
    }
}

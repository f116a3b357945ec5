mod unread;

use crate::answer::BodyId;
use crate::character::{Character, Charset};
use crate::draw::{Purpose, draw};
use crate::host::write_name;
use crate::href::Hrefs;
use crate::links::Link;
use crate::place::{Leaf, What};
use crate::prose::{write_phrase, write_sentence};
use crate::web::Web;
use stdx::Rng;

impl Web {
    /// The bytes of an HTML page with status 200.
    pub(crate) fn html(&self, body: &BodyId) -> Vec<u8> {
        let host = self.character(body.place.host);
        let size = self.size_bytes(body) as usize;
        let mut links = self.links_in(body);
        let canonical = matches!(body.place.what, What::Page(_)).then(|| links.remove(0));
        let index = subject(body.place.what);
        let rng = draw(self.config.seed, Purpose::Prose, host.original.word(), index);
        let hrefs = Hrefs::new(self, body.place, host);
        let out = String::with_capacity(size + 4096);
        let mut writer =
            Writer { web: self, body, host, hrefs, rng, links, next: 0, size, script_bytes: 0, index, out };
        writer.head(canonical);
        writer.body();
        encode(writer.out, host.charset)
    }
}

/// A page half written.
struct Writer<'a> {
    web: &'a Web,
    body: &'a BodyId,
    host: Character,
    hrefs: Hrefs<'a>,
    rng: Rng,
    links: Vec<Link>,
    /// The first link not yet written.
    next: usize,
    size: usize,
    script_bytes: usize,
    index: u64,
    out: String,
}

/// What text and links take with the tags around them, and of a larger page this share more: of the saved pages that `unread` names, 5.4 % are
/// text.
const READ_BYTES: usize = 8_000;
const READ_SHARE: usize = 12;

impl Writer<'_> {
    fn head(&mut self, canonical: Option<Link>) {
        let language = self.host.language.code();
        self.out.extend(["<!DOCTYPE html>\n<html lang=\"", language, "\">\n<head>\n"]);
        match self.host.charset {
            Charset::Utf8Meta => self.out.push_str("<meta charset=\"utf-8\">\n"),
            Charset::Latin1Meta => {
                self.out
                    .push_str("<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-1'>\n");
            }
            Charset::Utf8Header | Charset::Latin1Header => {}
        }
        self.out.push_str("<title>");
        write_phrase(self.host.language, &mut self.rng, &mut self.out);
        self.out.push_str(" &ndash; ");
        self.name();
        self.out.push_str("</title>\n");
        if let Some(link) = canonical {
            self.out.push_str("<link rel=\"canonical\" href=\"");
            self.hrefs.write_absolute(&link, &mut self.out);
            self.out.push_str("\">\n");
        }
        self.hrefs.write_base(&mut self.out);
        self.styles();
        self.out.push_str("</head>\n");
    }

    fn body(&mut self) {
        self.out.push_str("<body class=\"page wide\">\n<!-- ");
        self.ghost();
        self.out.push_str(" -->\n<nav id=\"top\"><ul>\n");
        while self.next < self.links.len().min(8) {
            self.item();
        }
        self.out.push_str("</ul><a href=\"#top\">&uarr;</a> <A HREF='mailto:post@");
        self.name();
        self.out.push_str("'>@</A></nav>\n<main>\n<h1>");
        write_phrase(self.host.language, &mut self.rng, &mut self.out);
        self.out.push_str("</h1>\n");
        self.blocks();
        self.out.push_str("</main>\n<footer><p>&copy; 2004&#8211;2026 ");
        self.name();
        self.out.push_str(" &amp; Co.</p></footer>\n");
        self.out.push_str("<script>document.write('");
        self.ghost();
        self.out.push_str("');</script>\n</body>\n</html>\n");
    }

    /// Text, links and markup in step: all are used up when the page has its size.
    fn blocks(&mut self) {
        let start = self.out.len();
        let whole = self.size.max(start + 1) - start;
        let to_read = whole.min(READ_BYTES + self.size / READ_SHARE);
        let mut read = 0;
        while read < to_read {
            let before = self.out.len();
            let due = (self.links.len() * read).div_ceil(to_read);
            self.block(due.min(self.links.len()));
            read += self.out.len() - before;
            self.unread(start + whole * read / to_read);
        }
        self.list(self.links.len());
    }

    fn block(&mut self, due: usize) {
        match self.rng.below(12) {
            0 => self.table(),
            1 => self.heading(),
            2..5 if due > self.next => self.list(due),
            _ => self.paragraph(due),
        }
    }

    fn heading(&mut self) {
        self.out.push_str("<h2 class=\"section-title\">");
        write_phrase(self.host.language, &mut self.rng, &mut self.out);
        self.out.push_str("</h2>\n");
    }

    fn paragraph(&mut self, due: usize) {
        self.out.push_str("<div class=\"content-block content-block--text\"><p class=\"paragraph\">");
        for _ in 0..=self.rng.below(4) {
            write_sentence(self.host.language, &mut self.rng, &mut self.out);
            self.out.push_str(if self.rng.one_in(8) { "&nbsp; " } else { " " });
            if self.next < due {
                self.anchor();
                self.out.push_str(". ");
            }
        }
        self.out.push_str("</p></div>\n");
    }

    fn table(&mut self) {
        self.out.push_str("<table class=\"figures\"><tbody>\n");
        for _ in 0..3 {
            self.out.push_str("<tr><th scope=\"row\">");
            write_phrase(self.host.language, &mut self.rng, &mut self.out);
            let cells = [self.rng.below(10_000), self.rng.below(100)].map(|n| n.to_string());
            self.out.extend(["</th><td>", &cells[0], "</td><td>", &cells[1], "&thinsp;%</td></tr>\n"]);
        }
        self.out.push_str("</tbody></table>\n");
    }

    fn list(&mut self, due: usize) {
        if self.next >= due {
            return;
        }
        self.out.push_str("<ul class=\"links\">\n");
        while self.next < due {
            self.item();
        }
        self.out.push_str("</ul>\n");
    }

    fn item(&mut self) {
        self.out.push_str("<li class=\"item\">");
        self.anchor();
        self.out.push_str("</li>\n");
    }

    fn anchor(&mut self) {
        let link = self.links[self.next];
        self.next += 1;
        self.hrefs.write_anchor(&link, &mut self.rng, &mut self.out);
        write_phrase(self.host.language, &mut self.rng, &mut self.out);
        self.out.push_str("</a>");
    }

    /// A link where no link is. Whoever fetches it has read a comment or a script as markup.
    fn ghost(&mut self) {
        let ghost = self.body.place.with(What::Leaf(Leaf::Ghost, self.index));
        self.out.push_str("<a href=\"");
        self.web.write_url(&ghost, &mut self.out);
        self.out.push_str("\">x</a>");
    }

    fn name(&mut self) {
        write_name(&self.web.config, self.body.place.host, &mut self.out);
    }
}

fn subject(what: What) -> u64 {
    match what {
        What::Page(index) | What::Leaf(_, index) => index,
        What::Month(month) => month,
        _ => 0,
    }
}

fn encode(text: String, charset: Charset) -> Vec<u8> {
    match charset {
        Charset::Utf8Header | Charset::Utf8Meta => text.into_bytes(),
        Charset::Latin1Header | Charset::Latin1Meta => latin1(&text),
    }
}

/// Latin-1 has no place for what is beyond it; a character reference has.
fn latin1(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(c) {
            Ok(byte) => out.push(byte),
            Err(_) => out.extend(format!("&#{};", u32::from(c)).bytes()),
        }
    }
    out
}

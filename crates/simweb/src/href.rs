use crate::character::Character;
use crate::links::{Link, may_be_copied};
use crate::place::{Place, What};
use crate::web::Web;
use stdx::Rng;

/// Writes the links of one page, in all the forms in which the same URL may be written there.
pub(crate) struct Hrefs<'a> {
    web: &'a Web,
    page: Place,
    /// What path-relative references are relative to, up to its last slash; `None` where the same bytes are
    /// served under another path.
    folder: Option<String>,
    base: Option<String>,
}

impl<'a> Hrefs<'a> {
    pub(crate) fn new(web: &'a Web, page: Place, host: Character) -> Self {
        let mut path = String::new();
        web.write_target(&host, &Place { session: None, ..page }, &mut path);
        let folder =
            path.split('?').next().and_then(|path| path.rfind('/')).map(|slash| path[..=slash].to_owned());
        let (folder, base) = match page.what {
            What::Page(index) if index % 8 == 4 => (Some("/".to_owned()), Some(web.root_url(page))),
            What::Page(index) if may_be_copied(index) => (None, None),
            _ => (folder, None),
        };
        Self { web, page, folder, base }
    }

    /// A `<base>` element, on the pages that have one.
    pub(crate) fn write_base(&self, out: &mut String) {
        if let Some(base) = &self.base {
            out.extend(["<base href=\"", base, "\">\n"]);
        }
    }

    pub(crate) fn write_absolute(&self, link: &Link, out: &mut String) {
        let mut url = String::with_capacity(96);
        self.web.write_link(link, &mut url);
        escape(&url, out);
    }

    /// The start tag of an anchor: absolute or relative, quoted or not, with a fragment or without.
    pub(crate) fn write_anchor(&self, link: &Link, rng: &mut Rng, out: &mut String) {
        let pick = rng.next_u64();
        let mut reference = self.reference(link, pick);
        if (pick >> 8).is_multiple_of(16) {
            reference.push_str("#section-2");
        }
        let bare = !reference.contains(['=', '&']) && !reference.ends_with('/');
        let (open, close) = match pick >> 16 & 15 {
            0 => ("<A HREF='", "'>"),
            1 if bare => ("<a class=plain href=", ">"),
            2 => ("<a data-rank=\"3\" href = \" ", "\n\" title=\"a &gt; b\">"),
            3 => ("<a\n  rel=\"bookmark\"\n  href=\"", "\"\n>"),
            _ => ("<a class=\"link link--inline\" href=\"", "\">"),
        };
        out.push_str(open);
        escape(&reference, out);
        out.push_str(close);
    }

    fn reference(&self, link: &Link, pick: u64) -> String {
        let mut reference = String::with_capacity(96);
        let host = self.web.character(link.place.host);
        let at_home = link.place.host == self.page.host && link.place.scheme == self.page.scheme;
        match pick % 8 {
            0 if link.place.scheme == self.page.scheme => {
                self.web.write_link(link, &mut reference);
                reference.drain(..=link.place.scheme.as_str().len());
            }
            1 | 2 if at_home && self.folder.is_some() => {
                self.web.write_dressed(&host, link, &mut reference);
                reference = relative(self.folder.as_deref().unwrap_or("/"), &reference);
            }
            1..7 if at_home => self.web.write_dressed(&host, link, &mut reference),
            _ => self.web.write_link(link, &mut reference),
        }
        reference
    }
}

impl Web {
    fn root_url(&self, page: Place) -> String {
        let mut url = String::new();
        self.write_authority(&page, &mut url);
        url.push('/');
        url
    }
}

/// The reference that leads from a folder to a target, both from the root.
fn relative(folder: &str, target: &str) -> String {
    if let Some(below) = target.strip_prefix(folder) {
        return if below.is_empty() || below.starts_with('?') {
            format!("./{below}")
        } else {
            below.to_owned()
        };
    }
    let up = folder.matches('/').count() - 1;
    format!("{}{}", "../".repeat(up), &target[1..])
}

fn escape(url: &str, out: &mut String) {
    for (at, piece) in url.split('&').enumerate() {
        if at > 0 {
            out.push_str("&amp;");
        }
        out.push_str(piece);
    }
}

//! The one pass: tokens in, links, text, title, directives out.

mod elements;
mod feeds;
mod frames;
mod region;
mod traits;

use crate::directives::Directives;
use crate::harvest::{Candidate, Harvest, HeadOnly, PendingRefresh};
use crate::limits::{LINKS_MOSTLY, SMALL_VALUE_BYTES};
use crate::link::{LinkKind, Place};
use crate::page::{Settings, Terms};
use crate::rel::Rel;
use crate::text::{Gap, TextWriter, collapse, is_blank};
use markup::{Attributes, Dialect, Open, Scanner, Tag, TagSet, Token, reference};
use region::Regions;
use std::borrow::Cow;
use traits::Traits;

/// Takes in a document.
pub(crate) struct Reader<'a, 's> {
    settings: &'s Settings<'s>,
    dialect: Dialect,
    text: TextWriter,
    /// Room for a piece of text whose references are decoded.
    decoded: String,
    regions: Regions,
    /// The elements that do more than to lay out the text.
    acting: TagSet,
    pre: u32,
    /// Blocks that are open, or were until something around them ended, by tag.
    blocks: [u32; 128],
    /// The element whose raw text comes next.
    inside: Tag,
    title: Option<TextWriter>,
    /// The text of an RSS `link`, while it is open.
    words: Option<String>,
    /// The candidate whose anchor text is being written.
    anchor: Option<usize>,
    /// The first element, once there is one.
    root: Option<Tag>,
    /// Whether a `frameset` would still take the place of the body (HTML's frameset-ok flag).
    frameset_ok: bool,
    /// What had been found when the body began.
    body: Option<HeadOnly>,
    /// The depth within framesets, once one has taken the place of the body.
    frames: Option<u32>,
    harvest: Harvest<'a>,
}

/// Elements whose blanks are shown as they are. Many a `pre` is ended by what it stands in.
const PREFORMATTED: TagSet = TagSet::of(&markup::PREFORMATTED);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Opens,
    Closes,
}

impl<'a, 's> Reader<'a, 's> {
    pub(crate) fn new(settings: &'s Settings<'s>) -> Self {
        let harvest = Harvest {
            base: None,
            candidates: Vec::with_capacity(LINKS_MOSTLY),
            refresh: None,
            canonical: None,
            title: None,
            html_lang: None,
            directives: Directives::NONE,
            terms: Terms::default(),
            text: String::new(),
            links_cut: false,
            text_cut: false,
        };
        Self {
            settings,
            dialect: Dialect::Html,
            text: TextWriter::new(settings.limits.text_bytes),
            decoded: String::new(),
            regions: Regions::default(),
            acting: elements::acting(settings.kinds),
            pre: 0,
            blocks: [0; 128],
            inside: Tag::Other,
            title: None,
            words: None,
            anchor: None,
            root: None,
            frameset_ok: true,
            body: None,
            frames: None,
            harvest,
        }
    }

    /// Plain text is its own visible text.
    pub(crate) fn plain(mut self, text: &str) -> Harvest<'a> {
        self.text.preformatted(text);
        self.finish()
    }

    pub(crate) fn markup(mut self, text: &'a str, dialect: Dialect) -> Harvest<'a> {
        self.dialect = dialect;
        self.text.expect(text);
        let wanted = elements::wanted(self.settings.kinds).with(feeds::wanted(dialect));
        let mut scanner = Scanner::new(text, dialect, wanted).minding_hidden();
        while let Some(token) = scanner.next_token() {
            if self.regions.hide_text() || scanner.is_hidden() {
                self.regions.see(&scanner);
            }
            if self.pre > 0 && !scanner.has_open(PREFORMATTED) {
                self.pre = 0;
            }
            match token {
                Token::Text(text) => self.text(text, reference::in_text_by),
                Token::Raw(text) => self.text(text, |text, _| text),
                Token::Open(open) => {
                    self.open(open, scanner.attributes());
                    if open.tag == Tag::Frameset && self.frames.is_some() {
                        scanner.enter_frameset();
                    }
                }
                Token::Close(close) => self.close(close),
            }
        }
        self.finish()
    }

    fn finish(mut self) -> Harvest<'a> {
        self.end_anchor();
        self.end_words();
        self.end_title();
        self.harvest.text_cut = self.text.is_cut();
        self.harvest.text = self.text.finish();
        self.harvest
    }

    fn text(&mut self, text: &str, decode: for<'r> fn(&'r str, &'r mut String) -> &'r str) {
        if let Some(title) = &mut self.title {
            title.flow(decode(text, &mut self.decoded));
            return;
        }
        if Traits::of(self.inside).has(Traits::NEVER_SHOWN) || self.frames.is_some() {
            return;
        }
        if self.frameset_ok || self.body.is_none() {
            self.words_begin(text);
        }
        if self.regions.hide_text() {
            return;
        }
        if self.pre == 0 && is_blank(text) {
            return self.text.gap(Gap::Space);
        }
        if self.inside == Tag::Link && self.is_feed() {
            self.words.get_or_insert_default().push_str(decode(text, &mut self.decoded));
        }
        let decoded = decode(text, &mut self.decoded);
        if self.pre > 0 { self.text.preformatted(decoded) } else { self.text.flow(decoded) }
    }

    fn is_inert(&self, tag: Tag) -> bool {
        Traits::of(tag).has(Traits::INERT) && self.dialect == Dialect::Html
    }

    /// The scanner knows of nothing foreign in XML. What a `foreignObject` holds is read as HTML there.
    fn is_of_svg_in_xml(&self, tag: Tag) -> bool {
        self.dialect == Dialect::Xml
            && matches!(tag, Tag::A | Tag::Image | Tag::FeImage | Tag::Use)
            && self.regions.in_svg()
    }

    fn open(&mut self, open: Open, attributes: &Attributes<'a>) {
        if self.root.is_none() {
            self.begin_root(open.tag, attributes);
        }
        if self.body.is_none() {
            self.before_body(open);
        }
        if self.frames.is_some() {
            return self.frameset_element(open.tag, attributes);
        }
        if self.regions.have_guests() && !self.regions.begin_in_guest(open.tag) {
            self.inside = Tag::Other;
            return;
        }
        if self.is_inert(open.tag) {
            self.inside = Tag::Other;
            return;
        }
        self.inside = if open.foreign || open.empty { Tag::Other } else { open.tag };
        let traits = Traits::of(open.tag);
        if traits.has(Traits::REGION) && !open.empty {
            self.regions.enter(open, attributes);
        }
        if open.foreign || self.is_of_svg_in_xml(open.tag) {
            self.foreign_element(open, attributes);
            return;
        }
        self.layout(open, Side::Opens);
        self.frameset_ok &= !traits.has(Traits::ENDS_FRAMESET_OK);
        if self.acting.has(open.tag) {
            self.element(open, attributes);
        }
    }

    fn close(&mut self, close: Open) {
        self.inside = Tag::Other;
        if self.frames.is_some() {
            return self.frameset_end(close.tag);
        }
        if self.body.is_none() {
            self.ends_before_body(close.tag);
        }
        self.frameset_ok &= close.tag != Tag::Br;
        if self.regions.have_guests() {
            self.regions.end_in_guest(close.tag);
        }
        if self.is_inert(close.tag) {
            return;
        }
        if Traits::of(close.tag).has(Traits::REGION) {
            self.regions.leave(close);
        }
        match close.tag {
            Tag::Title => self.end_title(),
            Tag::A => self.end_anchor(),
            Tag::Link => self.end_words(),
            _ => {}
        }
        if !close.foreign {
            self.layout(close, Side::Closes);
        }
    }

    /// What a tag does to the lines of the text, where it is shown.
    fn layout(&mut self, element: Open, side: Side) {
        let traits = Traits::of(element.tag);
        let is_stray = traits.has(Traits::COUNTED) && !self.count(element.tag, side);
        if is_stray || self.regions.hide_text() {
            return;
        }
        if traits.has(Traits::LINE) {
            self.text.gap(Gap::Line);
        } else if traits.has(Traits::ODD_LAYOUT) {
            self.odd_layout(element, side);
        }
    }

    /// Counts a block; says whether there was one to end.
    fn count(&mut self, block: Tag, side: Side) -> bool {
        let open = &mut self.blocks[block as usize];
        match side {
            Side::Opens => *open = open.saturating_add(1),
            Side::Closes if *open == 0 => return false,
            Side::Closes => *open -= 1,
        }
        true
    }

    fn odd_layout(&mut self, element: Open, side: Side) {
        match element.tag {
            Tag::Td | Tag::Th => {
                self.end_anchor();
                self.text.gap(Gap::Tab);
            }
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext => {
                self.text.gap(Gap::Line);
                self.pre = match side {
                    Side::Opens => self.pre.saturating_add(u32::from(!element.empty)),
                    Side::Closes => self.pre.saturating_sub(1),
                };
            }
            Tag::Other | Tag::Title | Tag::Link
                if self.dialect == Dialect::Xml && self.root != Some(Tag::Html) =>
            {
                self.text.gap(Gap::Line);
            }
            Tag::Img | Tag::Image | Tag::Button | Tag::Input => self.text.gap(Gap::Space),
            _ => {}
        }
    }

    /// In XML only the first title is the document's; those of a feed's items are text.
    fn begin_title(&mut self, open: Open) {
        let is_item = self.dialect == Dialect::Xml && self.harvest.title.is_some();
        if !open.empty && self.title.is_none() && !is_item {
            self.title = Some(TextWriter::new(self.settings.limits.title_bytes));
        }
    }

    fn end_title(&mut self) {
        let Some(title) = self.title.take() else { return };
        if self.harvest.title.is_none() && !self.regions.hide_text() {
            self.harvest.title = Some(title.finish_line()).filter(|title| !title.is_empty());
        }
    }

    fn end_anchor(&mut self) {
        if let Some(index) = self.anchor.take() {
            self.harvest.candidates[index].anchor.end = self.text.len();
        }
    }

    fn place(&self) -> Place {
        if self.regions.in_template() {
            Place::Template
        } else if self.regions.in_noscript() {
            Place::Noscript
        } else {
            Place::Document
        }
    }

    fn link(&mut self, kind: LinkKind, reference: Cow<'a, str>, rel: Rel) {
        if !self.settings.kinds.has(kind) {
            return;
        }
        if self.harvest.candidates.len() >= self.settings.limits.links {
            self.harvest.links_cut = true;
            return;
        }
        let start = self.text.len();
        self.harvest.candidates.push(Candidate {
            reference,
            kind,
            rel,
            hreflang: None,
            place: self.place(),
            anchor: start..start,
        });
    }

    fn refresh(&mut self, content: &str) {
        if self.place() == Place::Template {
            return;
        }
        let Some(value) = crate::refresh::parse(content) else { return };
        let Some(reference) = value.reference else { return };
        let reference = reference.to_owned();
        let delay_ms = value.delay_ms;
        self.link(LinkKind::MetaRefresh, Cow::Owned(reference.clone()), Rel::NONE);
        // Where scripts run, a page stays that sends those without them elsewhere.
        if self.harvest.refresh.is_none() && self.place() == Place::Document {
            self.harvest.refresh = Some(PendingRefresh { delay_ms, reference: Cow::Owned(reference) });
        }
    }

    fn html_lang(&mut self, attributes: &Attributes<'a>) {
        if self.harvest.html_lang.is_none() {
            let lang = attributes.get("lang").or_else(|| attributes.get("xml:lang"));
            self.harvest.html_lang =
                lang.map(|lang| collapse(&lang, SMALL_VALUE_BYTES)).filter(|lang| !lang.is_empty());
        }
    }
}

use page::{Page, PageKind, Unpacked};

/// Which text of an HTML page the corpus gets; of other documents it gets all there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageText {
    /// All that a reader would see.
    Visible,
    /// The article or the useful content, without what surrounds it.
    Main,
    /// The same as Markdown.
    Markdown,
    /// None, of no document.
    None,
}

/// Puts the text that is wanted, and its language, in the place of the visible text.
pub(crate) fn put(page: &mut Page, body: &Unpacked<'_>, wanted: PageText) {
    let main = || page.decoded(body);
    page.text = match wanted {
        PageText::Visible => return,
        PageText::None => String::new(),
        PageText::Main | PageText::Markdown if page.kind != PageKind::Html => return,
        PageText::Main => prose::read(&main()).text(),
        PageText::Markdown => prose::read(&main()).markdown(),
    };
    if wanted != PageText::None {
        page.language = page::language::detect(&page.text);
    }
}

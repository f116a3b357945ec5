use page::{Page, PageKind, Unpacked};
use prose::{About, Article};

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

/// Puts the text that is wanted, and its language, in the place of the visible text. What the page says about itself comes
/// with its main text.
pub(crate) fn put(page: &mut Page, body: &Unpacked<'_>, wanted: PageText) -> About {
    let render = match wanted {
        PageText::Main => Article::text,
        PageText::Markdown => Article::markdown,
        PageText::Visible => return About::default(),
        PageText::None => {
            page.text = String::new();
            return About::default();
        }
    };
    if page.kind != PageKind::Html {
        return About::default();
    }
    let html = page.decoded(body);
    let article = prose::read_by(&html, page.dialect);
    let (text, about) = (render(&article), article.about().clone());
    page.language = page::language::detect(&text);
    page.text = text;
    about
}

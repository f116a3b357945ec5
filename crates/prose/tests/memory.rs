//! What reading a page costs in memory, whatever the page: counted, not believed.

use meter::Meter;

#[global_allocator]
static METER: Meter = Meter::new();

/// 2 MB are read at most, as 2^18 nodes at most; the worst of these pages takes 25 MB, some of it for the columns that its cells span.
const PEAK_BYTES: usize = 32 << 20;

#[test]
fn no_page_takes_more_than_its_share() {
    for piece in [
        "<p>a",
        "<a href=x>a</a>",
        "<ul><li>a",
        "<b>",
        "<div class=sidebar>a. ",
        "<h2><a href=x>a b",
        "&amp;",
        "<td>",
        "<tr><td colspan=99 rowspan=99>a<td>b",
        "x ",
    ] {
        let page = "<table>".to_owned() + &piece.repeat((4 << 20) / piece.len());
        let peak = METER.peak_while(|| {
            let article = prose::read(&page);
            (article.text(), article.markdown())
        });
        println!("{piece}: {} KB", peak >> 10);
        assert!(peak <= PEAK_BYTES, "{piece}: {peak} bytes");
    }
}

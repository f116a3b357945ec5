use crate::{About, Duplicates, Fact, Figures, Held, Pattern, Stretch, TakenDown, Traps, page};
use control::Takedowns;
use disk::{Disk, MemDisk, SharedDisk, replace_file};
use ledger::{Attention, Judge};
use std::path::Path;
use std::sync::Arc;
use stdx::nobody;

const HOSTILE: &str = "</title><script>alert(\"1\")</script><img src=x onerror='a()'>&\u{202e}txt";

/// Everything that a server, or whoever named the directory, can choose.
fn hostile() -> (About, Figures) {
    let mut figures = Figures::default();
    let Figures { requests, pages, archive, .. } = &mut figures;
    for tally in [
        &mut requests.hosts,
        &mut pages.languages,
        &mut pages.types,
        &mut pages.charsets,
        &mut archive.types,
        &mut archive.files,
    ] {
        tally.add(HOSTILE);
    }
    let bad = |count| vec![Fact { name: HOSTILE.to_owned(), count }];
    let about = About {
        name: HOSTILE.to_owned(),
        state: HOSTILE.to_owned(),
        bottleneck: HOSTILE.to_owned(),
        excluded: bad(1),
        out_of_scope: bad(2),
        urls: bad(3),
        unmerged: 8,
        traps: Traps {
            rules: vec![Held { rule: HOSTILE.to_owned(), about: HOSTILE.to_owned(), held_back: 4 }],
            patterns: vec![Pattern {
                host: HOSTILE.to_owned(),
                form: HOSTILE.to_owned(),
                rule: HOSTILE.to_owned(),
                fetches: 5,
                fresh: 1,
                held_back: 4,
            }],
        },
        soft_404s: 6,
        handed_back: 7,
    };
    (about, figures)
}

#[test]
fn nothing_that_others_chose_is_markup() {
    let (about, figures) = hostile();
    let page = page(&about, &figures);
    for forbidden in ["<script", "<img", "onerror='", "alert(\"", "\u{202e}"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert_eq!(page.matches("</title>").count(), page.matches("<title>").count());
    assert!(page.contains("&lt;script&gt;"), "it is shown, as text");
}

/// Every address that a page could load from would need one of these.
#[test]
fn a_page_needs_nothing_else() {
    let (about, figures) = hostile();
    let page = page(&about, &figures);
    for loads in ["http:", "https:", "src=\"", "url(", "@import", "<link"] {
        assert!(!page.contains(loads), "{loads}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn an_empty_crawl_has_a_page() {
    let page = page(&About::default(), &Figures::default());
    assert!(page.contains(">none<") && !page.contains("NaN") && !page.contains("inf"));
    assert!(page.contains("nothing was asked for") && !page.contains("1970"));
}

#[test]
fn columns_and_areas_stand_within_their_frame() {
    let mut figures = Figures::default();
    let requests = &mut figures.requests;
    for (at, pages) in [3, 0, 7].into_iter().enumerate() {
        let stretch = Stretch { requests: pages, pages, ..Stretch::default() };
        requests.timeline.add(1_795_000_000_000 + 1_000 * at as u64, stretch);
    }
    requests.depths.extend([(0, 1), (2, 4)]);
    let page = page(&About::default(), &figures);
    assert!(page.contains("d=\"M0 100V70.00H1V100.00H2V30.00H3V100Z\""), "of a scale to 10");
    assert!(page.contains("x=0.06 y=\"75.00\" width=.88 height=\"25.00\""), "one of four");
    assert!(page.contains("2026-11-18 11:06:42: 7.0"));
}

#[test]
fn discoveries_that_are_not_merged_are_said_where_there_are_some() {
    let about = About { unmerged: 93, ..About::default() };
    assert!(page(&about, &Figures::default()).contains("93 discoveries not merged with what is known yet."));
    assert!(!page(&About::default(), &Figures::default()).contains("not merged"));
}

#[test]
fn a_table_of_duplicates_that_is_older_than_the_rows_says_so() {
    let duplicates = Some(Duplicates { rows: 10, duplicates: 3, similarity: 0.9 });
    let mut figures = Figures { duplicates, ..Figures::default() };
    figures.pages.rows = 12;
    assert!(page(&About::default(), &figures).contains("<dd>3, looked for among 10 of 12 rows</dd>"));
    figures.pages.rows = 10;
    assert!(page(&About::default(), &figures).contains("<dd>3</dd>"));
}

#[test]
fn a_table_of_duplicates_that_cannot_be_read_keeps_nobody_from_the_rest() {
    let disk = MemDisk::new();
    for dir in ["state", "corpus", "archive"] {
        disk.create_dir(Path::new(dir)).unwrap();
    }
    replace_file(&disk, Path::new("corpus/duplicates.parquet"), b"damaged").unwrap();
    let judge = Judge::new(Attention::Delays, None);
    let shared: SharedDisk = Arc::new(disk);
    let figures = Figures::gather(&shared, judge, &Takedowns::default(), &mut nobody).unwrap();
    let why = figures.duplicates_unreadable.as_deref().unwrap();
    assert!(why.contains("corpus/duplicates.parquet is not a readable corpus file"), "{why}");
    let said = page(&About::default(), &figures);
    assert!(said.contains("<dd>their table cannot be read</dd>") && said.contains("makes it anew"), "{said}");
}

#[test]
fn turns_that_were_handed_back_are_said_where_there_are_some() {
    let about = About { handed_back: 1_234, ..About::default() };
    assert!(page(&about, &Figures::default()).contains("1,234 turns of the last run handed back"));
    assert!(!page(&About::default(), &Figures::default()).contains("handed back"));
    let mut one = Figures::default();
    one.requests.gaps.broken = 1;
    assert!(page(&About::default(), &one).contains("1 delay broken: see drumlin audit."));
}

#[test]
fn what_is_taken_down_is_counted_where_something_is() {
    let taken_down = TakenDown { withheld: 1, purged: 2, pages: 1_234 };
    let said = page(&About::default(), &Figures { taken_down, ..Figures::default() });
    assert!(said.contains("Withheld from every export: 1,234 pages of the corpus, by 1 takedown. Purged"));
    assert!(said.contains("is left in the files: 2 takedowns."));
    assert!(!page(&About::default(), &Figures::default()).contains("<h2>Taken down</h2>"));
}

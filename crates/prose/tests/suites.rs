//! The shared pages. Each test prints its figures and holds a bar a little below what was reached.

mod common;

use common::{by_ngrams, by_snippets, pages};

#[test]
fn articles_are_found_whole_and_alone() {
    let pages = pages("articles.jsonl.gz");
    if pages.is_empty() {
        return;
    }
    let score = by_ngrams(pages.iter().map(|page| (page, prose::read(&page.html).text())));
    println!("articles: F1 {:.4}, {score:.4?}, of {} pages", score.f1(), pages.len());
    assert!(score.f1() >= 0.972, "F1 {:.4}", score.f1());
}

#[test]
fn wanted_snippets_are_there_and_unwanted_ones_are_not() {
    let pages = pages("snippets.jsonl.gz");
    if pages.is_empty() {
        return;
    }
    let score = by_snippets(pages.iter().map(|page| (page, prose::read(&page.html).text())));
    println!("snippets: F1 {:.4}, {score:.4?}, of {} pages", score.f1(), pages.len());
    assert!(score.f1() >= 0.944, "F1 {:.4}", score.f1());
}

/// What is kept is text of the page: Markdown has the same words, and the head says who and when on most pages.
#[test]
fn most_pages_say_what_they_are() {
    let pages = pages("articles.jsonl.gz");
    if pages.is_empty() {
        return;
    }
    let abouts: Vec<_> = pages.iter().map(|page| prose::read(&page.html).about().clone()).collect();
    let share = |has: &dyn Fn(&prose::About) -> bool| {
        abouts.iter().filter(|about| has(about)).count() * 100 / abouts.len()
    };
    let (titles, authors) = (share(&|about| about.title.is_some()), share(&|about| about.author.is_some()));
    let (dates, languages) = (share(&|about| about.date.is_some()), share(&|about| about.language.is_some()));
    println!("titles {titles} %, authors {authors} %, dates {dates} %, languages {languages} %");
    assert!(titles == 100 && authors >= 60 && dates >= 80 && languages >= 80);
}

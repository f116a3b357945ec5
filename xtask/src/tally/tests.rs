use super::{Reader, Tally};

fn check(output: &str, want: &str) {
    let mut reader = Reader::default();
    output.lines().for_each(|line| reader.take(line));
    assert_eq!(reader.tally.to_string(), want);
}

#[test]
fn results_are_summed() {
    check(
        "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out",
        "3 passed, 0 failed, 2 skipped",
    );
    let two = "test result: FAILED. 1 passed; 2 failed; 0 ignored\nnoise\ntest result: ok. 4 passed; 0 failed; 1 ignored";
    check(two, "5 passed, 2 failed, 1 skipped");
    assert_eq!(Tally::default().to_string(), "0 passed, 0 failed, 0 skipped");
}

#[test]
fn a_test_that_says_so_is_skipped_once() {
    let output = "successes:\n\n---- a stdout ----\nskipped: no pywb\nskipped: no duckdb\n\n---- b stdout ----\nfine\n\n\
                  successes:\n    a\n    b\n\ntest result: ok. 2 passed; 0 failed; 0 ignored";
    check(output, "1 passed, 0 failed, 1 skipped");
}

#[test]
fn a_test_that_fails_is_not_skipped() {
    let output = "failures:\n\n---- a stdout ----\nskipped: no pywb\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored";
    check(output, "1 passed, 1 failed, 0 skipped");
}

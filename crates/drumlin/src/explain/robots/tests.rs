use super::ruling_of;
use crawler::{RobotsAnswer, RobotsRecord};
use stdx::Timestamp;
use weburl::Url;

#[test]
fn rules_of_before_hold_while_there_are_no_newer_ones() {
    let url = Url::parse("http://a.test/1").unwrap();
    let known = |authority: &str, answer| RobotsRecord {
        authority: authority.to_owned(),
        fetched_at: Timestamp::from_ms(1),
        answer,
    };
    let absent = RobotsAnswer::Absent { status: 404 };
    let failure = RobotsAnswer::Unreachable { detail: "status 500".to_owned(), retry_after_ms: None };
    let failed = known("http://a.test", failure);
    for (before, follows) in [
        ("http://a.test", "so what was known before holds meanwhile, up to thirty days old"),
        ("https://a.test", "so nothing is allowed"),
    ] {
        let said = ruling_of(&failed, &url, &[known(before, absent.clone()), failed.clone()]);
        assert!(said.ends_with(&format!("could not be had (status 500), {follows}")), "{said}");
    }
}

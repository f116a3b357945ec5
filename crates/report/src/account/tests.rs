use super::{Account, Rules, Who, contact_page};
use frontier::limits::ROBOTS_STALE_AGE_MS;
use frontier::{RobotsAnswer, RobotsRecord};
use stdx::Timestamp;

/// What is told of a robots.txt after it was asked for at these moments, for a failure or not.
fn told(asked: &[(u64, bool)]) -> String {
    let record = |(at_ms, fails): &(u64, bool)| RobotsRecord {
        authority: "http://a.test".to_owned(),
        fetched_at: Timestamp::from_ms(*at_ms),
        answer: if *fails {
            RobotsAnswer::Unreachable { detail: "status 500".to_owned(), retry_after_ms: None }
        } else {
            RobotsAnswer::Absent { status: 404 }
        },
    };
    let mut rules = Rules::of(&record(&asked[0]));
    asked[1..].iter().for_each(|at| rules.learn(&record(at)));
    rules.told()
}

#[test]
fn rules_of_before_hold_while_there_are_no_newer_ones() {
    const ABSENT: &str = "there is none (404): all may be fetched";
    const NOTHING: &str = "it could not be had (status 500): nothing is fetched";
    let meanwhile = format!(
        "{ABSENT}; since then it could not be had (status 500), and this holds meanwhile, thirty days at most"
    );
    assert_eq!(told(&[(1, false)]), ABSENT);
    assert_eq!(told(&[(1, false), (2, true), (3, true)]), meanwhile);
    assert_eq!(told(&[(1, false), (2, true), (3, false)]), ABSENT);
    assert_eq!(told(&[(1, false), (2, true), (1 + ROBOTS_STALE_AGE_MS, true)]), NOTHING);
    assert_eq!(told(&[(1, true), (2, true)]), NOTHING);
}

#[test]
fn a_host_has_its_name_with_a_root_dot_too() {
    let account = Account { host: "a.test".to_owned(), ..Account::default() };
    for (host, concerns) in [("a.test", true), ("a.test.", true), ("www.a.test.", true), ("b-a.test.", false)]
    {
        assert_eq!(account.concerns(host), concerns, "{host}");
    }
}

#[test]
fn rules_are_those_of_a_host_at_whatever_port() {
    for (host, authority) in
        [("[::1]", "http://[::1]"), ("[::1]", "http://[::1]:8080"), ("a.test", "https://a.test:8443")]
    {
        let mut account = Account { host: host.to_owned(), ..Account::default() };
        account.learn(&RobotsRecord {
            authority: authority.to_owned(),
            fetched_at: Timestamp::from_ms(1),
            answer: RobotsAnswer::Absent { status: 404 },
        });
        assert!(account.rules.contains_key(authority), "{authority}");
    }
}

fn who() -> Who {
    Who {
        user_agent: "drumlin".to_owned(),
        token: "drumlin".to_owned(),
        contact: None,
        keeps_cookies: false,
        signed_by: None,
        host_ms: 1_000,
        server_ms: 250,
        domain_ms: 250,
    }
}

#[test]
fn nobody_is_told_to_write_where_there_is_no_address() {
    let page = |contact: Option<&str>| contact_page(&Who { contact: contact.map(str::to_owned), ..who() });
    assert!(page(Some("a@b.example")).contains("Write to us and it stops sooner"));
    assert!(!page(None).contains("Write to"), "{}", page(None));
}

#[test]
fn cookies_are_promised_as_the_operator_has_it() {
    assert!(contact_page(&who()).contains("No cookies."));
    let page = contact_page(&Who { keeps_cookies: true, ..who() });
    assert!(page.contains("shown to the site that has set them") && !page.contains("No cookies"), "{page}");
}

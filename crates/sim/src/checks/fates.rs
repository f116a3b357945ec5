use frontier::{Exclusion, UrlState};
use simweb::{End, Truth};

/// Judges the frontier of a crawl that is done: every URL of the truth is in the state that its end asks for.
/// `state` looks a URL up.
pub fn fates<'a>(truth: &Truth, state: impl Fn(&str) -> Option<&'a UrlState>) -> Vec<String> {
    let judge = |(url, fate): (&String, &simweb::Fate)| {
        let state = state(url);
        let right = state.is_some_and(|state| is_right(fate.end, state));
        (!right).then(|| format!("{:?} is {state:?}: {url}", fate.end))
    };
    truth.urls.iter().filter_map(judge).collect()
}

fn is_right(end: End, state: &UrlState) -> bool {
    match (end, state) {
        (End::Page(_) | End::Ruined, UrlState::Fetched { .. }) => true,
        (
            End::Redirect(_),
            UrlState::Fetched { .. } | UrlState::Excluded { rule: Exclusion::RedirectLimit, .. },
        ) => true,
        (End::Error(status), UrlState::Fetched { .. }) => status < 500,
        (End::Error(status), UrlState::Parked { .. }) => status >= 500,
        (
            End::Forbidden,
            UrlState::Excluded { rule: Exclusion::Robots { .. }, .. } | UrlState::Parked { .. },
        ) => true,
        (
            End::Unreachable,
            UrlState::Excluded { rule: Exclusion::AddressRefused, .. } | UrlState::Parked { .. },
        ) => true,
        _ => false,
    }
}

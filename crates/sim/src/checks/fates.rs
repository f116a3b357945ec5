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
    match state {
        UrlState::Discovered { .. } | UrlState::Pending { .. } => false,
        UrlState::Fetched { .. } => match end {
            End::Page(_) | End::Ruined | End::Redirect(_) => true,
            End::Error(status) => status < 500,
            _ => false,
        },
        UrlState::Excluded { rule: Exclusion::Robots { .. }, .. } => end == End::Forbidden,
        UrlState::Excluded { rule: Exclusion::RedirectLimit, .. } => matches!(end, End::Redirect(_)),
        UrlState::Excluded { rule: Exclusion::AddressRefused, .. } => end == End::Unreachable,
        UrlState::Parked { .. } => match end {
            End::Forbidden | End::Unreachable => true,
            End::Error(status) => status >= 500,
            _ => false,
        },
    }
}

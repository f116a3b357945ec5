use crate::bounded::{Bounded, Bytes};
use crate::limits::{
    COOKIE_BYTES, COOKIE_OVERHEAD_BYTES, COOKIE_SITE_BYTES, COOKIES_OF_SITE_BYTES, COOKIES_SHOWN_BYTES,
};
use cookie_store::{Cookie, CookieStore};
use http::header::{HeaderMap, HeaderValue, SET_COOKIE};
use std::cmp::Reverse;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use weburl::Url;

#[cfg(test)]
mod tests;

/// Cookies (RFC 6265), for operators who want them: some sites answer nobody who does not show again what they have given. A site, which is a
/// registrable domain, gets back what its own hosts have set and nothing else. All of it is in memory, and ends with the process.
///
/// The loops of a process share it, since the hosts of a site are on several; hence a lock, held for the cookies of one answer.
pub struct Cookies(Mutex<Bounded<String, Site>>);

/// What the hosts of one registrable domain have set.
#[derive(Default)]
struct Site {
    store: CookieStore,
    /// What its cookies take.
    bytes: u64,
}

impl Cookies {
    /// Of sites whose cookies take at most `limit` bytes together, and of one at least.
    pub fn new(limit: u64) -> Self {
        Self(Mutex::new(Bounded::new(limit)))
    }

    /// Takes in what an answer from this URL sets.
    pub(crate) fn note(&self, url: &Url, headers: &HeaderMap) {
        let set = headers.get_all(SET_COOKIE).iter().filter(|value| value.len() <= COOKIE_BYTES);
        let mut set = set.filter_map(|value| std::str::from_utf8(value.as_bytes()).ok()).peekable();
        if set.peek().is_none() {
            return;
        }
        let from = parsed(url);
        self.sites().meet(site_of(url), |site| set.for_each(|cookie| site.note(cookie, &from)));
    }

    /// What is shown when this URL is asked for.
    pub(crate) fn for_url(&self, url: &Url) -> Option<HeaderValue> {
        let shown = self.sites().get(&site_of(url))?.shown_at(&parsed(url));
        HeaderValue::from_str(&shown).ok().filter(|value| !value.is_empty())
    }

    fn sites(&self) -> MutexGuard<'_, Bounded<String, Site>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Site {
    /// One for which there is no room is not taken, unless others that are there have expired.
    fn note(&mut self, set: &str, from: &url::Url) {
        let Ok(cookie) = Cookie::parse(set, from).map(Cookie::into_owned) else { return };
        let domain = cookie.domain.as_cow().unwrap_or_default().into_owned();
        let (path, name) = (cookie.path.as_ref().to_owned(), cookie.name().to_owned());
        if self.store.insert(cookie, from).is_err() {
            return;
        }
        self.count();
        if self.bytes > COOKIES_OF_SITE_BYTES {
            self.forget_expired();
        }
        if self.bytes > COOKIES_OF_SITE_BYTES {
            self.store.remove(&domain, &path, &name);
            self.count();
        }
    }

    /// Those with longer paths first (RFC 6265, section 5.4), as many as go into a request.
    fn shown_at(&self, url: &url::Url) -> String {
        let mut shown = self.store.matches(url);
        shown.sort_by_key(|cookie| (Reverse(cookie.path.as_ref().len()), cookie.name().to_owned()));
        let mut header = String::new();
        for pair in shown.iter().map(|cookie| format!("{}={}", cookie.name(), cookie.value())) {
            let separator = if header.is_empty() { "" } else { "; " };
            if header.len() + separator.len() + pair.len() <= COOKIES_SHOWN_BYTES {
                header.extend([separator, &pair]);
            }
        }
        header
    }

    fn forget_expired(&mut self) {
        let holding = self.store.iter_unexpired().cloned().map(Ok::<_, cookie_store::CookieError>);
        self.store = CookieStore::from_cookies(holding, false).unwrap_or_default();
        self.count();
    }

    fn count(&mut self) {
        self.bytes = self.store.iter_any().map(bytes_of).sum();
    }
}

impl Bytes for Site {
    fn bytes(&self) -> u64 {
        COOKIE_SITE_BYTES + self.bytes
    }
}

/// Its name twice, since the store has it as a key and as it came, and so its domain and path.
fn bytes_of(cookie: &Cookie<'_>) -> u64 {
    let texts = 2 * cookie.name().len() + cookie.value().len() + 2 * cookie.path.as_ref().len();
    COOKIE_OVERHEAD_BYTES + texts as u64
}

fn site_of(url: &Url) -> String {
    weburl::pld(url.host()).to_owned()
}

fn parsed(url: &Url) -> url::Url {
    url::Url::parse(url.as_str()).expect("a URL that has been parsed is one")
}

/// Without what it holds: that is somebody's secret.
impl fmt::Debug for Cookies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cookies").finish_non_exhaustive()
    }
}

use page::{Directives, Header, Page, Rel};
use robots::{Preferences, Use};
use serde::{Deserialize, Serialize};

/// What the owner of one page says of its use.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Terms {
    /// Of each use the stricter of all that is said.
    pub preferences: Preferences,
    /// Where it was said, each place once.
    pub said: Vec<Said>,
    /// What it names as its licence.
    pub license: Option<String>,
}

/// One place that says something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// `robots.txt`, `Content-Usage header` …
    pub place: String,
    /// What it says; of each use the stricter, where it says several things.
    pub preferences: Preferences,
}

impl Terms {
    /// What a response says of its own use: in its headers, and in the page that was found in it, its links included.
    pub fn of(headers: &[Header<'_>], page: &Page) -> Self {
        let mut terms = Self::default();
        let all = |name: &'static str| headers.iter().filter(move |h| h.name.eq_ignore_ascii_case(name));
        for (name, place) in
            [("content-usage", "Content-Usage header"), ("content-signal", "Content-Signal header")]
        {
            all(name).for_each(|header| terms.add(place, Preferences::of_usage(header.value)));
        }
        let reservations = all("tdm-reservation").map(|h| Preferences::of_tdm_reservation(h.value));
        reservations.for_each(|said| terms.add("tdm-reservation header", said));
        terms.add_page(page);
        terms
    }

    fn add_page(&mut self, page: &Page) {
        if page.directives.has(Directives::NOAI) {
            self.add("noai", Preferences::refusing(&[Use::Train, Use::Input]));
        }
        if page.directives.has(Directives::NOINDEX) {
            self.add("noindex", Preferences::refusing(&[Use::Search]));
        }
        if let Some(reserved) = &page.terms.tdm_reservation {
            self.add("tdm-reservation meta", Preferences::of_tdm_reservation(reserved));
        }
        let linked = page.links.iter().find(|link| link.rel.has(Rel::LICENSE));
        let linked = linked.map(|link| link.url.as_str().to_owned());
        self.license = linked.or_else(|| page.terms.license.clone());
    }

    /// Adds what is said elsewhere.
    pub fn add(&mut self, place: &str, preferences: Preferences) {
        if preferences.is_none() {
            return;
        }
        self.preferences = self.preferences.with(preferences);
        match self.said.iter_mut().find(|said| said.place == place) {
            Some(said) => said.preferences = said.preferences.with(preferences),
            None => self.said.push(Said { place: place.to_owned(), preferences }),
        }
    }

    /// As a row has it; nothing where nothing is said.
    pub fn written(&self) -> Option<String> {
        (!self.preferences.is_none()).then(|| self.preferences.to_string())
    }
}

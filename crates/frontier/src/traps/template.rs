//! Patterns of URLs, and what pages of each have had to say.

mod pattern;

use super::limits::{BARREN_FREE, BARREN_MOST, FINGERPRINTS, NEAR_BITS, PROBE_EVERY, TEMPLATES};
use super::{Penalty, Suspicion, TrapReason};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use weburl::KeyHash;

/// The pattern of a URL, as a hash: what is left of it when numbers, dates, tokens and words are each made alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Template(u32);

/// What a page says, in 64 bits, so that pages which say nearly the same differ in few of them (Charikar 2002; Manku, Jain
/// and Das Sarma 2007).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fingerprint(pub u64);

/// What a fetch gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Yield {
    /// A page that says this.
    Content(Fingerprint),
    /// No page, or one that its owner wants in no index or has under another URL of its host, or a feed.
    Nothing,
    /// No page, in these words.
    Absent(Fingerprint),
}

/// The commonest patterns of one host's URLs, how many fetches of each gave nothing new, and what its last pages said;
/// part of the host's record, and at most 1.3 KB of it. Space-saving (Metwally, Agrawal and El Abbadi 2005): when there are too many
/// patterns, a new one takes the place of the rarest and inherits how often that was fetched, but nothing that is held against it. What
/// the first fetches of patterns without a place gave is counted together, so that a host with a new pattern for every page does not go free.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Templates {
    known: Vec<Known>,
    said_lately: VecDeque<Fingerprint>,
}

/// The pattern of a URL and what it has given, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// `/calendar/<number>/<number>?view`
    pub form: String,
    /// Whether it is counted by itself: of a host with very many patterns the rarest are counted together, and nothing is known of each.
    pub is_counted: bool,
    /// Whether all places are taken, so that it may have another's, whose fetches count with its own.
    pub is_at_most: bool,
    /// Fetches of such URLs.
    pub fetches: u32,
    /// Of them those that gave something new.
    pub fresh: u32,
    /// Of them those that gave nothing new, less what new ones have made good.
    pub barren: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    template: Template,
    fetches: u32,
    /// Of them those that gave something new.
    fresh: u32,
    /// Grows by one with each fetch that gave nothing new, is halved by each that did.
    barren: u16,
}

impl Templates {
    /// A fetch of this URL gave this: it counts for its pattern. The first fetches of each set of parameters count for all of
    /// its path together, too: a path with a new set for every page does not go free.
    pub fn note(&mut self, url: &str, gave: Yield) {
        let (template, is_new) = (Template::of(url), self.is_new(gave));
        if let Some(any) = self.any_query_for(template, url) {
            self.entry(any).count(is_new);
        }
        self.count(template, is_new);
    }

    fn count(&mut self, template: Template, is_new: bool) {
        if self.position(template).is_none() && self.known.len() == TEMPLATES {
            self.entry(Template::RARE).count(is_new);
        }
        self.entry(template).count(is_new);
    }

    /// Judges a URL that is about to be queued, by its pattern: one queue when fetches have long given nothing new, and one
    /// more with each doubling. As long as little is known of its parameters, what the first of others of its path gave counts, too. One key
    /// in `PROBE_EVERY` goes free, so that a pattern can recover.
    pub fn judge(&self, url: &str, key: KeyHash) -> Option<Suspicion> {
        // A pattern is not looked for where none is suspect.
        self.known.iter().find_map(Known::suspicion)?;
        if key.0.is_multiple_of(PROBE_EVERY) {
            return None;
        }
        let template = Template::of(url);
        let own = self.position(template).or_else(|| self.position(Template::RARE));
        let own = own.and_then(|index| self.known[index].suspicion());
        let path = self.any_query_for(template, url).and_then(|any| self.position(any));
        let path = path.and_then(|index| self.known[index].suspicion_for(TrapReason::BarrenQueries));
        Suspicion::worst(own, path)
    }

    /// What the most barren of the patterns has against it.
    pub fn worst(&self) -> Option<Suspicion> {
        self.known.iter().map(Known::suspicion).fold(None, Suspicion::worst)
    }

    /// What fetches of URLs like this one have given, for people.
    pub fn of_url(&self, url: &str) -> Pattern {
        let known = self.position(Template::of(url)).map(|index| self.known[index]);
        Pattern {
            form: pattern::form_of(url),
            is_counted: known.is_some() || self.position(Template::RARE).is_none(),
            is_at_most: self.known.len() == TEMPLATES,
            fetches: known.map_or(0, |known| known.fetches),
            fresh: known.map_or(0, |known| known.fresh),
            barren: known.map_or(0, |known| known.barren),
        }
    }

    /// As postcard has it in a stored host of version 1, which counted no fetches that gave something new.
    pub(crate) fn decode_first(bytes: &[u8]) -> postcard::Result<Self> {
        let (known, said_lately): (Vec<(Template, u32, u16)>, _) = postcard::from_bytes(bytes)?;
        let known = known.into_iter().map(|(template, fetches, barren)| Known {
            template,
            fetches,
            fresh: 0,
            barren,
        });
        Ok(Self { known: known.collect(), said_lately })
    }

    /// Panics if the parts contradict each other.
    pub fn check_invariants(&self) {
        assert!(self.known.len() <= TEMPLATES && self.said_lately.len() <= FINGERPRINTS, "bounded");
        let mut templates: Vec<Template> = self.known.iter().map(|known| known.template).collect();
        templates.sort_unstable();
        assert!(templates.windows(2).all(|pair| pair[0] < pair[1]), "each pattern once");
    }

    /// What it takes of memory, beside itself.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(self.known.as_slice()) + self.said_lately.len() * size_of::<Fingerprint>()) as u64
    }

    fn is_new(&mut self, gave: Yield) -> bool {
        let Yield::Content(said) = gave else { return false };
        let again = self.said_lately.iter().position(|lately| said.is_near(*lately));
        if again.is_none() && self.said_lately.len() == FINGERPRINTS {
            self.said_lately.pop_front();
        }
        // What is said again is remembered anew, as it was said first: words that change little by little are not the same for ever.
        let first = again.and_then(|index| self.said_lately.remove(index));
        self.said_lately.push_back(first.unwrap_or(said));
        again.is_none()
    }

    /// The pattern of all queries of this URL's path, if it has one and its own pattern is little known.
    fn any_query_for(&self, own: Template, url: &str) -> Option<Template> {
        let fetches = self.position(own).map_or(0, |index| self.known[index].fetches);
        if fetches < u32::from(BARREN_FREE) { Template::of_any_query(url) } else { None }
    }

    fn position(&self, template: Template) -> Option<usize> {
        self.known.iter().position(|known| known.template == template)
    }

    /// Where a pattern is counted: it takes the place of the rarest, if there is no room.
    fn entry(&mut self, template: Template) -> &mut Known {
        let index = self.position(template).unwrap_or_else(|| self.make_room(template));
        &mut self.known[index]
    }

    fn make_room(&mut self, template: Template) -> usize {
        if self.known.len() < TEMPLATES {
            self.known.push(Known { template, fetches: 0, fresh: 0, barren: 0 });
            return self.known.len() - 1;
        }
        let patterns = self.known.iter().enumerate().filter(|(_, known)| known.template != Template::RARE);
        let rarest = patterns.min_by_key(|(_, known)| known.fetches).map_or(0, |(index, _)| index);
        let known = &mut self.known[rarest];
        (known.template, known.barren) = (template, 0);
        rarest
    }
}

impl Template {
    /// Stands for all that have no place. That a pattern has this hash is as unlikely as that two have the same.
    const RARE: Self = Self(u32::MAX);
}

impl Known {
    fn count(&mut self, is_new: bool) {
        self.fetches = self.fetches.saturating_add(1);
        self.fresh = self.fresh.saturating_add(u32::from(is_new));
        self.barren = if is_new { self.barren / 2 } else { (self.barren + 1).min(BARREN_MOST) };
    }

    fn suspicion(&self) -> Option<Suspicion> {
        let reason =
            if self.template == Template::RARE { TrapReason::BarrenRare } else { TrapReason::Barren };
        self.suspicion_for(reason)
    }

    fn suspicion_for(&self, reason: impl Fn(u16) -> TrapReason) -> Option<Suspicion> {
        let penalty = Penalty::beyond(u32::from(BARREN_FREE), u32::from(self.barren));
        Suspicion::unless_none(penalty, reason(self.barren))
    }
}

impl Fingerprint {
    pub(super) fn is_near(self, other: Self) -> bool {
        (self.0 ^ other.0).count_ones() <= NEAR_BITS
    }
}

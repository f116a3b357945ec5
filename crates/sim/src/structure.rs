use archive::Capture;
use crawler::{Digested, Found, ParseJob, Parsed, Rules};
use frontier::Kind;
use simweb::{HostId, LinkList, Outlink, Web};
use stdx::{Map, Set};
use weburl::{KeyHash, Url, Verdict};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Plays parse for a web without bodies: links by structure, keys without a parser. Holds nothing but what the next page
/// uses again.
#[derive(Debug, Default)]
pub(crate) struct Structure {
    list: LinkList,
    known: Set<u64>,
    /// Shards of the hosts that the page links to.
    shards: Map<HostId, u8>,
    /// Links given so far.
    pub(crate) links: u64,
}

impl Structure {
    /// What the parse of a page gives; `None` for what does have a body: a redirect, a sitemap.
    pub(crate) fn digest(
        &mut self,
        job: &ParseJob,
        capture: &Capture,
        web: &Web,
        rules: &Rules,
    ) -> Option<Digested> {
        if job.kind != Kind::Page || capture.status != 200 || !capture.body.is_empty() {
            return None;
        }
        web.list_links(&capture.url, &mut self.list);
        let links = self.found(rules);
        self.links += links.len() as u64;
        let parsed = Parsed { url: capture.url.clone(), links, ..Parsed::nothing(job.capture) };
        Some(Digested { parsed, row: None })
    }

    fn found(&mut self, rules: &Rules) -> Vec<Found> {
        let Self { list, known, shards, .. } = self;
        known.clear();
        shards.clear();
        let mut found = Vec::with_capacity(list.len());
        for link in list.outlinks() {
            let key = KeyHash(xxh3_64_with_seed(link.key.as_bytes(), rules.seed));
            if known.insert(key.0) && is_in_scope(&link, rules) {
                let shard = *shards.entry(link.host).or_insert_with(|| rules.shard(link.name));
                found.push(Found {
                    url: link.url.to_owned(),
                    key,
                    shard,
                    steps: 1,
                    hops: 0,
                    kind: Kind::Page,
                });
            }
        }
        found
    }
}

fn is_in_scope(link: &Outlink<'_>, rules: &Rules) -> bool {
    rules.scope.is_everything()
        || Url::parse(link.url).is_ok_and(|url| rules.scope.judge(&url) == Verdict::In)
}

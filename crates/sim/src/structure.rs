use archive::Capture;
use crawler::{Found, FoundLinks, ParseJob, Parsed, Rules, Says};
use frontier::{Fingerprint, Kind, Yield};
use simweb::{HostId, LinkList, Outlink, Web};
use stdx::{Map, Set};
use weburl::limits::URL_BYTES;
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
}

impl Structure {
    /// Whether a capture is a page of a web without bodies. A redirect or a sitemap has what there is to know.
    pub(crate) fn has_all_of(job: &ParseJob, capture: &Capture) -> bool {
        job.kind == Kind::Page && capture.status == 200 && capture.body.is_empty()
    }

    /// What the parse of a page gives.
    pub(crate) fn parse(&mut self, job: &ParseJob, capture: &Capture, web: &Web) -> Parsed {
        let rules = &*job.rules;
        let url = capture.url.clone();
        let content = web.list_links(&url, &mut self.list);
        let links = self.found(rules);
        let says = content.map(|content| Says {
            shard: rules.shard(host_of(&url)),
            url: url.clone(),
            gave: Yield::Content(Fingerprint(content)),
        });
        Parsed { url, says, links, ..Parsed::nothing(job.capture) }
    }

    fn found(&mut self, rules: &Rules) -> FoundLinks {
        let Self { list, known, shards } = self;
        known.clear();
        shards.clear();
        let mut found = FoundLinks::with_capacity(list.len(), list.url_bytes());
        for link in list.outlinks().filter(|link| link.url.len() <= URL_BYTES) {
            let key = KeyHash(xxh3_64_with_seed(link.key.as_bytes(), rules.seed));
            if known.insert(key.0) && is_in_scope(&link, rules) {
                let shard = *shards.entry(link.host).or_insert_with(|| rules.shard(link.name));
                found.push(Found { url: link.url, key, shard, steps: 1, hops: 0, kind: Kind::Page });
            }
        }
        found
    }
}

/// Of a URL of simweb's: no credentials, perhaps a port.
fn host_of(url: &str) -> &str {
    let authority = url.split('/').nth(2).unwrap_or_default();
    authority.split(':').next().unwrap_or_default()
}

fn is_in_scope(link: &Outlink<'_>, rules: &Rules) -> bool {
    rules.scope.is_everything()
        || Url::parse(link.url).is_ok_and(|url| rules.scope.judge(&url) == Verdict::In)
}

use super::examples::{SEED, START, config, found, url};
use crate::shards::Shards;
use crate::{CrawlConfig, Rules};
use disk::MemDisk;
use frontier::{Class, Hunger, Origin, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;
use weburl::{Folding, Scope, ScopeRules};

#[test]
fn turns_are_divided_among_classes_wherever_their_hosts_are() {
    let rules = Rules { scope: ScopeRules::new(Scope::Any), folding: Folding::ALL, seed: SEED };
    let config = CrawlConfig { rules: Arc::new(rules), ..config() };
    let mut shards = Shards::new(Arc::new(MemDisk::new()), &config);
    shards.resume(Stop::Clean, START).unwrap();
    let (low, medium) = ((0..500).map(|n| (n, 9)), (500..520).map(|n| (n, 1)));
    let mut used = BTreeSet::new();
    for (n, depth) in low.chain(medium) {
        let page = found(&format!("http://n{n}.example/"), depth);
        let shard = config.rules.shard(url(&page.url).host());
        shards.get(shard).unwrap().admit(&[page], &Origin::Document("http://a.example/".into())).unwrap();
        used.insert(shard);
    }
    for shard in used {
        let job = shards.start_job(shard, START, Hunger::Starving).unwrap().expect("something was found");
        shards.job_ended(shard).unwrap().finish_job(job.run().unwrap()).unwrap();
        shards.settle(shard);
    }
    let mut turns = Vec::new();
    while let Some((class, shard)) = shards.next_turn(START) {
        turns.extend(shards.get(shard).unwrap().next_turn(class, START).map(|_| class));
        shards.settle(shard);
    }
    let early = turns[..30].iter().filter(|class| **class == Class::Medium).count();
    assert!((15..=20).contains(&early), "30 to 10 as long as there are any: {early} of 20 in 30 turns");
}

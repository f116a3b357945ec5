//! All of them at once, and an honest host among them.

use crate::support::{captured, fetcher, in_turn, job};
use crawler::FetchJob;
use fetch::Limits;
use simweb::hostile::{Malice, start};
use std::rc::Rc;
use tokio::task::{LocalSet, yield_now};

/// What hangs, or never ends, for as long as the client lets it.
const ENDLESS: [Malice; 2] = [Malice::DripHead, Malice::Silence];

#[test]
fn an_honest_host_is_served_while_all_others_misbehave() {
    in_turn(|| async {
        let server = Rc::new(start().unwrap());
        // So patient that whatever drips outlasts the test.
        let fetcher = Rc::new(fetcher(Limits::default()));
        let local = LocalSet::new();
        local
            .run_until(async {
                let spawn = |scheme: &'static str, malice: Malice| {
                    let (server, fetcher) = (server.clone(), fetcher.clone());
                    tokio::task::spawn_local(async move {
                        fetcher.fetch(job(&server, scheme, malice, "/")).await.unwrap()
                    })
                };
                let all: Vec<_> = Malice::ALL
                    .into_iter()
                    .flat_map(|malice| ["http", "https"].map(|scheme| spawn(scheme, malice)))
                    .collect();
                let hung: Vec<_> = ENDLESS.into_iter().map(|malice| spawn("http", malice)).collect();
                for _ in 0..200 {
                    let page = job(&server, "http", Malice::RobotsHtml, "/page");
                    // It closes each connection without saying so first.
                    let honest = FetchJob { keep_alive: false, ..page };
                    captured(fetcher.fetch(honest).await.unwrap().outcome);
                    yield_now().await;
                }
                assert!(
                    hung.iter().all(|task| !task.is_finished()),
                    "200 fetches outlasted 30 s of patience"
                );
                all.iter().chain(&hung).for_each(tokio::task::JoinHandle::abort);
            })
            .await;
    });
}

//! A machine of ours that has no descriptor left. A binary of its own, since the limit is the process's.

use crawler::{FailureKind, LookUp, ResolveOutcome, Ticket};
use fetch::{FetchConfig, Fetcher};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::UdpSocket;

#[tokio::test]
async fn a_question_without_a_socket_is_our_fault_and_not_the_name_servers() {
    let name_server = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let dns = vec![name_server.local_addr().unwrap()];
    let fetcher = Fetcher::new(FetchConfig { dns, ..FetchConfig::new("drumlin-test/0") }).unwrap();

    let before = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(0), ..before }).unwrap();
    let resolved = resolve(&fetcher).await;
    setrlimit(Resource::Nofile, before).unwrap();

    let ResolveOutcome::Failed(failure) = resolved else { panic!("nobody could be asked") };
    assert_eq!(failure.kind, FailureKind::Local, "{}", failure.detail);
    assert!(failure.detail.contains("Too many open files"), "{}", failure.detail);

    // Neither the name nor the name server has a bad mark of it: the next who asks is heard at once.
    let asked = async { name_server.recv(&mut [0; 1500]).await.unwrap() };
    tokio::select! {
        _ = asked => {}
        outcome = resolve(&fetcher) => panic!("nobody was asked: {outcome:?}"),
    }
}

async fn resolve(fetcher: &Fetcher) -> ResolveOutcome {
    fetcher.resolve(Ticket(1), "public.test", LookUp::Known).await.outcome
}

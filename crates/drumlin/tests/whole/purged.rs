//! Other people's readers on an archive that something was purged from.

use crate::support::crawl::Crawl;
use crate::support::names;
use crate::support::script::{Reply, Script};
use crate::support::tools::{judge, output};
use crate::support::wayback::{Wayback, plain};
use std::fs;
use std::net::Ipv4Addr;
use std::process::Command;

const HOST: &str = "a.test";

/// A page that goes, one that stays, and one that stays although its body was archived as a revisit of one that goes.
fn server() -> Script {
    Script::start(|ask| match ask.target {
        "/" => Reply::page(&["/gone/1", "/stays"]),
        "/gone/1" => Reply::text("what was not to be read"),
        "/gone/2" | "/twin" => Reply::text(&"the same words on two pages. ".repeat(100)),
        "/stays" => Reply::page(&["/gone/2"]),
        _ => Reply::status(404),
    })
}

/// A crawl of it, purged.
fn purged(server: &Script) -> Crawl {
    let dns = names::serve(|name| (name == HOST).then_some(Ipv4Addr::new(127, 0, 0, 9)));
    let crawl = Crawl::new(dns, &[&server.url(HOST, "/")]);
    crawl.run_to_the_end();
    // Later, so that it is this one that is the revisit.
    let twin = server.url(HOST, "/twin");
    told(&crawl, "ctl", &["seeds", &twin]);
    crawl.run_to_the_end();
    assert!(crawl.holdings().captures.iter().any(|capture| capture.url == twin && capture.is_revisit));
    told(&crawl, "ctl", &["takedown", "--pattern", "/gone/"]);
    assert!(told(&crawl, "purge", &[]).contains("with the same payload made whole"));
    crawl
}

/// What the program says of the crawl; it succeeds.
fn told(crawl: &Crawl, command: &str, arguments: &[&str]) -> String {
    output(Command::new(env!("CARGO_BIN_EXE_drumlin")).arg(command).arg(crawl.dir()).args(arguments))
}

/// A purge is killed half-way and the takedown taken back: one more purge puts what is left together again.
#[test]
fn a_purge_that_was_killed_can_be_taken_back() {
    let server = server();
    let dns = names::serve(|name| (name == HOST).then_some(Ipv4Addr::new(127, 0, 0, 9)));
    let crawl = Crawl::new(dns, &[&server.url(HOST, "/")]);
    crawl.run_to_the_end();
    told(&crawl, "ctl", &["takedown", "--pattern", "/gone/"]);
    let is_half_done = |call: &u32| {
        let mut purge = Command::new(env!("CARGO_BIN_EXE_drumlin"));
        purge.arg("purge").arg(crawl.dir()).env("DRUMLIN_ABORT_AT_DISK_CALL", call.to_string());
        let died = !purge.output().expect("the program runs").status.success();
        assert!(died, "the purge ended before anybody killed it half-way");
        !index(&crawl).contains("/gone/")
    };
    (1..).step_by(2).find(is_half_done).expect("a call before which the index is replaced, and nothing else");
    assert!(told(&crawl, "audit", &[]).contains("purge     has not ended"));
    told(&crawl, "ctl", &["readmit", "--pattern", "/gone/"]);
    let said = told(&crawl, "purge", &[]);
    assert!(said.contains("a purge that was interrupted has been brought to its end"), "{said}");
    assert_eq!(told(&crawl, "purge", &[]), "nothing is taken down that is not purged\n");
    assert!(!told(&crawl, "audit", &[]).contains("has not ended"));
    assert!(index(&crawl).contains("/gone/"), "what was not gone yet has come back");
    output(Command::new(env!("CARGO_BIN_EXE_drumlin")).args(["warc", "check"]).args(crawl.warc_files()));
}

fn index(crawl: &Crawl) -> String {
    fs::read_to_string(crawl.dir().join("archive/index.cdxj")).expect("an index")
}

#[test]
fn warcio_finds_nothing_wrong_with_voids() {
    let Some(mut warcio) = judge("warcio") else { return };
    let crawl = purged(&server());
    let said = output(warcio.args(["check", "--verbose"]).args(crawl.warc_files()));
    assert!(said.contains("digest pass") && !said.contains("fail"), "{said}");
}

/// Through our index, and through the one that pywb's own indexer makes of the files.
#[test]
fn pywb_replays_what_stays_and_nothing_that_went() {
    let (Some(by_ours), Some(by_theirs), Some(mut indexer)) =
        (judge("wayback"), judge("wayback"), judge("cdxj-indexer"))
    else {
        return;
    };
    let server = server();
    let crawl = purged(&server);
    let ours = crawl.dir().join("archive/index.cdxj");
    let theirs = crawl.file("theirs.cdxj", &output(indexer.arg("--sort").args(crawl.warc_files())));
    let theirs_text = fs::read_to_string(&theirs).expect("an index");
    assert!(!theirs_text.contains("/gone/") && theirs_text.contains("/stays"), "{theirs_text}");
    for (program, name, index) in [(by_ours, "ours", ours), (by_theirs, "theirs", theirs.into())] {
        let room = crawl.dir().with_file_name(name);
        let wayback = Wayback::start(program, &room, &crawl.warc_files(), &index);
        for target in ["/", "/stays", "/twin"] {
            let holdings = crawl.holdings();
            let page = holdings.captures.iter().find(|page| page.url == server.url(HOST, target));
            let page = page.unwrap_or_else(|| panic!("{target} stays"));
            assert!(
                !page.is_revisit && wayback.replay(&page.url) == plain(&page.payload),
                "{name}: {target}"
            );
        }
        for target in ["/gone/1", "/gone/2"] {
            assert_eq!(wayback.status(&server.url(HOST, target)), "404", "{name}: {target}");
        }
    }
}

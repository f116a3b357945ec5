use super::Bench;

#[test]
fn benchmarks_are_examples() {
    assert_eq!(Bench::of("crates/drum/examples/bench_seen.rs"), Some(Bench { krate: "drum", name: "seen" }));
    assert_eq!(Bench::of("crates/drum/examples/show.rs"), None);
    assert_eq!(Bench::of("xtask/src/bench.rs"), None);
}

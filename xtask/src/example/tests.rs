use super::Example;

#[test]
fn examples_are_of_a_kind_by_their_names() {
    let seen = Example { krate: "drum", target: "bench_seen", name: "seen" };
    assert_eq!(Example::of("bench", "crates/drum/examples/bench_seen.rs"), Some(seen));
    assert_eq!(Example::of("count", "crates/drum/examples/bench_seen.rs"), None);
    assert_eq!(Example::of("bench", "crates/drum/examples/show.rs"), None);
    assert_eq!(Example::of("bench", "crates/drum/examples/bench_seen/options.rs"), None);
    assert_eq!(Example::of("bench", "xtask/src/bench.rs"), None);
}

use super::*;
use crate::config::MEMORY_MIN;

/// What the shares come to, every factor counted.
fn spent(shares: Shares) -> u64 {
    let shard = shares.of_a_shard();
    let buffers = shard.buffer_bytes as u64 * BUFFER_EIGHTHS / 8;
    let of_shards = shard.resident_bytes + buffers + shard.recent_keys as u64 * KEY_BYTES;
    let jobs = shard.bucket_bytes * JOB_FACTOR * JOBS_AT_ONCE as u64;
    let cores = 8;
    let NetworkCaches { names, tls_session_bytes } = shares.of_a_core(cores);
    let of_a_core = names as u64 * NAME_BYTES + tls_session_bytes;
    let caches = of_a_core * cores as u64 + shares.index + shares.payloads + shares.young;
    shares.bodies + 3 * shares.row_group + of_shards * SHARDS as u64 + jobs + caches
}

#[test]
fn a_fifth_is_left_beside_the_program() {
    for memory in [MEMORY_MIN, 1 << 30, 2 << 30, 64 << 30] {
        assert!(spent(Shares::of(memory)) <= (memory - PROGRAM_BYTES) / 64 * 51, "{memory}");
    }
}

#[test]
fn parsers_are_as_many_as_memory_has_room_for() {
    let parsers = |memory, threads| Shares::of(memory).parsers(threads);
    assert_eq!((parsers(MEMORY_MIN, 8), parsers(2 << 30, 8), parsers(2 << 30, 64)), (1, 8, 8));
}

#[test]
fn captures_wait_for_parsers_as_memory_has_room_for_their_heads() {
    let unparsed = |memory| Shares::of(memory).unparsed();
    assert_eq!((unparsed(MEMORY_MIN), unparsed(128 << 20), unparsed(1 << 30)), (286, 702, 2_048));
}

#[test]
fn the_least_memory_is_enough_for_a_frontier() {
    let shard = Shares::of(MEMORY_MIN).of_a_shard();
    assert!(shard.buffer_bytes >= 8 << 10, "{shard:?}");
    assert!(shard.bucket_bytes >= 1 << 20, "{shard:?}");
    assert!(shard.resident_bytes >= 32 << 10 && shard.recent_keys >= 256, "{shard:?}");
    let caches = Shares::of(MEMORY_MIN).of_a_core(2);
    assert!(caches.names >= 128 && caches.tls_session_bytes >= 64 << 10, "{caches:?}");
}

//! What to fetch next, and when. One shard. Sans-IO.

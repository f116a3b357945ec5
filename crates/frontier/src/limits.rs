//! Every bound of the frontier, with its reason.

/// Rules older than this are fetched again before the next draw (RFC 9309, section 2.4: 24 hours at most).
pub const ROBOTS_MAX_AGE_MS: u64 = 24 * 3600 * 1000;

/// Redirects followed for robots.txt (RFC 9309, section 2.3.1.2: at least five).
pub const ROBOTS_MAX_HOPS: u8 = 5;

/// Authorities (scheme and port) of one host whose rules are remembered; honest hosts have two, and a page can name
/// 65,535. The rules of the one asked longest ago are forgotten and fetched again when they are needed.
pub const ROBOTS_PER_HOST: usize = 16;

/// Redirects followed for a page, over all hosts of the chain; browsers stop at 20, few honest chains pass 3.
pub const MAX_HOPS: u8 = 10;

/// URLs a host has at hand, drawn from its front queues at once.
pub const BACK_QUEUE_WINDOW: usize = 16;

/// URLs looked at in one draw before the turn goes to another host: a long run of forbidden URLs must not hold the shard.
pub const LOOKED_AT_PER_DRAW: usize = 256;

/// Longest `Retry-After` that is believed to be meant: a year. What is longer is read as this.
pub const RETRY_AFTER_MAX_MS: u64 = 365 * 24 * 3600 * 1000;

/// A crawl-delay above this parks the host (blueprint, section 7).
pub const CRAWL_DELAY_MAX_MS: u64 = 300_000;

/// A delay learned from slow answers stops here, so that one slow answer does not end a host's crawl.
pub const SLOWDOWN_MAX_MS: u64 = 30_000;

/// The delay learned from slow answers: this many times the last response time.
pub const SLOWDOWN_FACTOR: u64 = 10;

/// Weights of the front queues, high to low (blueprint, section 7).
pub const CLASS_WEIGHTS: [u64; 3] = [60, 30, 10];

/// Hosts compared when the one with the most to do is sought: enough for any honest domain, and a bound on what a farm of
/// subdomains costs a turn.
pub const HOSTS_COMPARED: usize = 64;

/// B0: pages a round of a domain that nobody knows (`IRLbot`, §VIII-B).
pub const BUDGET_DEFAULT: u32 = 10;

/// Pages a round of the domain with the highest in-degree (`IRLbot`, §VIII-B).
pub const BUDGET_MOST: u32 = 10_000;

/// Domains that get more than the default (`IRLbot`, §VIII-B).
pub const BUDGET_TOP: u64 = 10_000;

/// In a crawl of fewer than a million domains, one in so many gets more than the default.
pub const BUDGET_TOP_ONE_IN: u64 = 100;

/// E\[Bx\], which `IRLbot` measured among 33 million domains (§VII-B). With a default of 10, the reputation of the top domains
/// adds a tenth to all budgets, in a crawl of any size.
pub const BUDGET_MEAN: u32 = 11;

/// Queues that BEAST spreads URLs among, each a file of the shard: what `IRLbot` had after 8 billion pages (§VII-B).
pub const BEAST_QUEUES: u64 = 16;

/// The least a host on the public internet is left alone (blueprint, section 7).
pub const HOST_FLOOR_MS: u64 = 500;

/// Domains of a server address that are remembered, for the average of their budgets.
pub const TENANTS_SAMPLED: usize = 8;

/// From so many of them on, a server is one that serves many unrelated domains.
pub const MANY_TENANTS: u64 = 4;

/// Hosts and domains that an operator may put into groups by name: what a person writes down.
pub const NAMED_HOSTS: usize = 10_000;

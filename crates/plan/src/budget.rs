//! What it costs to put off URLs beyond their domain's budget (§VII-B).

/// A crawl under budgets, in the letters of §VII-B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Budgets {
    /// S: pages a second.
    pub pages_per_s: f64,
    /// b: bytes of a URL in the queue.
    pub url_bytes: f64,
    /// L: new URLs a page.
    pub new_urls: f64,
    /// `E[Bx]`: expected budget of a domain, in pages.
    pub mean_budget: f64,
    /// V: domains seen in one pass.
    pub domains: f64,
}

/// Equation (26): αN, how often what the budgets allow in one pass goes into `pages`; at least 1.
pub fn passes(budgets: &Budgets, pages: f64) -> f64 {
    (pages / (budgets.mean_budget * budgets.domains)).max(1.0)
}

/// Theorem 6, equation (25): least disk rate in bytes a second when all deferred URLs are read at each pass.
pub fn naive_disk_rate(budgets: &Budgets, pages: f64) -> f64 {
    2.0 * budgets.pages_per_s * budgets.url_bytes * (budgets.new_urls - 1.0) * passes(budgets, pages)
}

/// Theorem 7, equation (27): least disk rate in bytes a second of BEAST.
pub fn beast_disk_rate(budgets: &Budgets, pages: f64) -> f64 {
    let passes = passes(budgets, pages);
    let deferred = 2.0 * passes / (1.0 + passes) * (budgets.new_urls - 1.0);
    2.0 * budgets.pages_per_s * budgets.url_bytes * (deferred + 1.0)
}

/// The bound of (27): 2Sb(2L − 1), whatever the size of the crawl.
pub fn beast_disk_rate_most(budgets: &Budgets) -> f64 {
    2.0 * budgets.pages_per_s * budgets.url_bytes * (2.0 * budgets.new_urls - 1.0)
}

/// Equation (31): queues in the last stage of a crawl of `pages`, 2^(⌈log2(αN + 1)⌉ − 1).
pub fn beast_queues(budgets: &Budgets, pages: f64) -> u64 {
    let stages = (passes(budgets, pages) + 1.0).log2().ceil() - 1.0;
    stages.exp2() as u64
}

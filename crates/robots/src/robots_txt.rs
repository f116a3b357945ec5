use crate::group::{Group, Reading, read};
use crate::{Robots, UsageRules};

/// One robots.txt as one agent reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsTxt {
    /// What may be fetched.
    pub rules: Robots,
    /// What it may be used for.
    pub usage: UsageRules,
}

impl RobotsTxt {
    /// Reads a file once for what [`Robots::parse`] and [`UsageRules::parse`] give.
    pub fn parse(bytes: &[u8], agent: &str) -> Self {
        let Reading { group: Group { rules, crawl_delay, usages }, sitemaps } = read(bytes, agent);
        Self { rules: Robots::new(rules, crawl_delay, sitemaps), usage: UsageRules::new(usages) }
    }
}

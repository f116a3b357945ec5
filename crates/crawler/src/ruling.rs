use crate::{Crawler, Order};
use std::fmt;
use stdx::WallTime;
use weburl::{Rule, Url, Verdict};

/// The rule that keeps a URL out as things stand, and who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The rule.
    pub rule: Rule,
    /// The operator's command that made it, if it was one.
    pub order: Option<Order>,
}

impl Crawler {
    /// What keeps a URL out, if it were found now; by the rules that decide.
    pub fn ruling(&self, url: &Url) -> Option<Ruling> {
        let Verdict::Out(rule) = self.config.rules.scope.judge(url) else { return None };
        let order = match &rule {
            Rule::Banned(target) => self.orders.order_of(target),
            _ => None,
        };
        Some(Ruling { rule, order })
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rule.fmt(f)?;
        let Some(Order { entry, at }) = self.order else { return Ok(()) };
        write!(f, ", since {} (entry {entry} of the journal)", WallTime::from_unix_ms(at.as_ms()))
    }
}

use super::account::moment;
use crawler::{RobotsAnswer, RobotsRecord};
use stdx::format_duration_ms;
use weburl::Url;

#[cfg(test)]
mod tests;

/// What robots.txt says of a URL, by the rules of an authority, and how old they are; `all` are those of its host.
pub(super) fn ruling_of(record: &RobotsRecord, url: &Url, all: &[RobotsRecord]) -> String {
    let RobotsRecord { authority, fetched_at, answer } = record;
    let says = match answer {
        RobotsAnswer::Rules(_) | RobotsAnswer::RulesOfUse { .. } if authority != url.authority() => {
            "there are rules".to_owned()
        }
        RobotsAnswer::Rules(rules) | RobotsAnswer::RulesOfUse { rules, .. } => {
            let verdict = rules.verdict(url.request_target());
            let does = if verdict.allowed { "allowed" } else { "forbidden" };
            verdict.rule.map_or_else(
                || format!("{does}, no rule matches"),
                |rule| format!("{does} by line {}: {}", rule.line, rule.text),
            )
        }
        RobotsAnswer::Absent { status } => format!("there is none ({status}), so all is allowed"),
        RobotsAnswer::Unreachable { detail, .. } => {
            let follows = if hold_meanwhile(authority, all) {
                "what was known before holds meanwhile, up to thirty days old"
            } else {
                "nothing is allowed"
            };
            format!("could not be had ({detail}), so {follows}")
        }
    };
    let delay = record.crawl_delay_ms();
    let delay = delay.map_or_else(String::new, |ms| format!(", crawl-delay {}", format_duration_ms(ms)));
    format!("{authority}, as of {}: {says}{delay}", moment(*fetched_at))
}

/// Whether there are rules of an authority to go by while newer ones can't be had (RFC 9309, section 2.4).
fn hold_meanwhile(authority: &str, all: &[RobotsRecord]) -> bool {
    all.iter().any(|known| known.authority == authority && known.answer.failure().is_none())
}

use super::Asked;
use crate::explain::Account;
use serde_json::{Value, json};
use ui::{Subject, Unanswered};
use weburl::{Url, Verdict};

/// What `drumlin explain` would print, of a crawl that may be running.
pub(super) fn explain(asked: &Asked, subject: &Subject) -> Result<Value, Unanswered> {
    let text = match subject {
        Subject::Url(url) => url.clone(),
        Subject::Host(host) => format!("http://{host}/"),
    };
    let url = Url::parse(&text).map_err(|error| Unanswered::Malformed(format!("`{text}`: {error}")))?;
    let asked_of = url.clone();
    let account = asked.look(move |crawler, _| {
        let out_of_scope = match crawler.config().rules.scope.judge(&asked_of) {
            Verdict::In => None,
            Verdict::Out(rule) => Some(rule.to_string()),
        };
        let known = crawler.look_up(&asked_of)?;
        Ok(Account { url: &asked_of, out_of_scope, known: known.as_ref() }.to_string())
    })?;
    let text = account.map_err(|error: crawler::FrontierError| Unanswered::Unreadable(error.to_string()))?;
    Ok(json!({ "url": url.as_str(), "text": text }))
}

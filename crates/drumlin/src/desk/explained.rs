use super::Asked;
use crate::explain::account;
use serde_json::{Value, json};
use ui::{Subject, Unanswered};
use weburl::Url;

/// What `drumlin explain` would print, of a crawl that may be running.
pub(super) fn explain(asked: &Asked, subject: &Subject) -> Result<Value, Unanswered> {
    let text = match subject {
        Subject::Url(url) => url.clone(),
        Subject::Host(host) => format!("http://{host}/"),
    };
    let url = Url::parse(&text).map_err(|error| Unanswered::Malformed(format!("`{text}`: {error}")))?;
    let asked_of = url.clone();
    let told = asked.look(move |crawler, _| account(crawler, &asked_of))?;
    let text = told.map_err(|error| Unanswered::Unreadable(error.to_string()))?;
    Ok(json!({ "url": url.as_str(), "text": text }))
}

use super::without_comment;
use crate::exit::BadUsage;
use std::fs;
use std::path::Path;
use weburl::Url;

/// The hosts that `--exclude-hosts` names, one a line; blank lines and comments are passed over.
pub(crate) fn read_hosts(path: &Path) -> Result<Vec<String>, BadUsage> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| BadUsage(format!("cannot read {name}: {error}")))?;
    let lines = (1..).zip(text.lines().map(without_comment));
    let lines = lines.filter(|(_, line)| !line.is_empty());
    lines
        .map(|(number, line)| {
            host(line).ok_or_else(|| BadUsage(format!("{name}, line {number}: `{line}` is not a host")))
        })
        .collect()
}

/// In the form that URLs have it: lower case, in ASCII.
fn host(text: &str) -> Option<String> {
    let bare = text.trim_end_matches('.');
    let url = Url::parse(&format!("http://{bare}/")).ok()?;
    let is_host_alone = url.path() == "/" && url.query().is_none() && !bare.contains(['/', '@', ':', '#']);
    is_host_alone.then(|| url.host().to_owned())
}

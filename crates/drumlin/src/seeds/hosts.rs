use super::without_comment;
use crate::exit::BadUsage;
use control::{Domain, Target, TargetError};
use std::fs;
use std::path::Path;

/// The hosts that `--exclude-hosts` names, one a line, in the form that URLs have them; blank lines and comments are
/// passed over.
pub(crate) fn read_hosts(path: &Path) -> Result<Vec<String>, BadUsage> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| BadUsage(format!("cannot read {name}: {error}")))?;
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1..).zip(text.lines().map(without_comment));
    let lines = lines.filter(|(_, line)| !line.is_empty());
    lines
        .map(|(number, line)| host(line).map_err(|error| BadUsage(format!("{name}, line {number}: {error}"))))
        .collect()
}

/// All below it are excluded with it, so it is a domain.
fn host(line: &str) -> Result<String, TargetError> {
    let domain: Domain = line.parse()?;
    Target::Domain(domain.clone()).check()?;
    Ok(domain.as_str().to_owned())
}

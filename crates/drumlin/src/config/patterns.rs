use crate::exit::BadUsage;
use crate::settings::each;
use regex::Regex;

/// Compiles expressions; an error says which ones, where in them, and why.
pub(super) fn compile(origin: &str, expressions: Option<&[String]>) -> Result<Vec<Regex>, BadUsage> {
    let compile = |text: &String| {
        Regex::new(text).map_err(|error| format!("`{text}`: {}", explain(&error.to_string())))
    };
    let compiled = each(expressions.unwrap_or_default(), compile);
    compiled.map_err(|faults| BadUsage(format!("{origin} {faults}")))
}

/// The regex crate draws the expression with carets under the fault; on one line that is a position.
fn explain(message: &str) -> String {
    const INDENT: usize = 4;
    let reason = message.lines().last().unwrap_or_default();
    let reason = reason.strip_prefix("error: ").unwrap_or(reason);
    match message.lines().find_map(|line| line.trim_end().ends_with('^').then(|| line.find('^'))?) {
        Some(column) => format!("{reason}, at character {}", (column + 1).saturating_sub(INDENT)),
        None => reason.to_owned(),
    }
}

use super::Settings;
use super::layout::{Key, LAYOUT, Section};
use std::fmt::Write;
use toml::{Table, Value};

#[cfg(test)]
mod tests;

/// The layout with every key explained, and the values that `settings` has. What has none is a line behind a bare `#`.
pub(crate) fn explained(settings: &Settings) -> String {
    let table = settings.to_table();
    let mut out = String::new();
    for section in LAYOUT {
        write_section(&mut out, section, &table);
    }
    out
}

fn write_section(out: &mut String, section: &Section, table: &Table) {
    const FITS: &str = "a string takes any text";
    let own = if section.name.is_empty() { Some(table) } else { inner(table, section.name) };
    write_about(out, section.about);
    if !section.name.is_empty() {
        writeln!(out, "[{}]", section.name).expect(FITS);
    }
    for Key { name, about, takes, example } in section.keys {
        out.push('\n');
        write_about(out, about);
        writeln!(out, "# Takes {takes}.").expect(FITS);
        match own.and_then(|own| own.get(*name)) {
            Some(value) => writeln!(out, "{name} = {value}").expect(FITS),
            None => writeln!(out, "#{name} = {example}").expect(FITS),
        }
    }
    out.push('\n');
}

fn inner<'a>(table: &'a Table, name: &str) -> Option<&'a Table> {
    table.get(name).and_then(Value::as_table)
}

fn write_about(out: &mut String, about: &str) {
    for line in about.lines() {
        out.push_str("# ");
        out.push_str(line);
        out.push('\n');
    }
}

//! The models against the tables that the paper prints, and the plan against sums done by hand.

mod inputs;
mod sizes;
mod tables;

/// A printed number with its unit of last place: `6, 610` → 1, `2.26` → 0.01.
#[track_caller]
fn check_printed(what: &str, computed: f64, printed: &str) {
    let digits: String = printed.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let unit = 0.1f64.powi(i32::try_from(decimals).unwrap());
    let value: f64 = digits.parse().unwrap();
    let rounded = (computed / unit).round() * unit;
    assert!((rounded - value).abs() < 1.5 * unit, "{what}: computed {computed}, printed {printed}");
}

use super::{Tone, escape, moment};
use std::fmt::Write;

const FITS: &str = "a string takes any text";

/// A value at each of many moments, evenly apart.
pub(crate) struct Series<'a> {
    pub(crate) title: &'a str,
    /// Milliseconds since 1970.
    pub(crate) from_ms: u64,
    pub(crate) step_ms: u64,
    pub(crate) values: Vec<f64>,
    pub(crate) tone: Tone,
}

/// An area under steps, with its scale at the left and moments below. `say` writes a value with its unit.
pub(crate) fn series(series: &Series<'_>, say: impl Fn(f64) -> String) -> String {
    let Series { title, from_ms, step_ms, values, tone } = series;
    if values.is_empty() {
        return "<p class=none>none</p>".to_owned();
    }
    let top = scale(values.iter().copied().fold(0.0, f64::max));
    let mut path = String::from("M0 100");
    let mut hits = String::new();
    for (at, value) in values.iter().enumerate() {
        let y = 100.0 - 100.0 * value / top;
        write!(path, "V{y:.2}H{}", at + 1).expect(FITS);
        let told = format!("{}: {}", moment(from_ms + step_ms * at as u64), say(*value));
        writeln!(
            hits,
            "<g><title>{}</title><rect class=hit x={at} y=0 width=1 height=100 /></g>",
            escape(&told)
        )
        .expect(FITS);
    }
    let (most, width) = (values.iter().copied().fold(0.0, f64::max), values.len());
    format!(
        "<div class=plot><div class=ys><span>{}</span><span>{}</span><span>0</span></div>\
         <svg role=img aria-label=\"{}\" viewBox=\"0 0 {width} 100\" preserveAspectRatio=none>\n\
         <path class=grid d=\"M0 0H{width}M0 50H{width}\" /><path class={} d=\"{path}V100Z\" />\n{hits}</svg></div>\n{}",
        say(top),
        say(top / 2.0),
        escape(&format!("{title}, at most {}", say(most))),
        tone.class(),
        moments(*from_ms, step_ms * values.len() as u64)
    )
}

/// The next of 1, 2, 5, 10, 20 and so on.
fn scale(most: f64) -> f64 {
    if most <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(most.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= most).unwrap_or(most)
}

fn moments(from_ms: u64, span_ms: u64) -> String {
    const SHOWN: u64 = 4;
    let mut spans = String::new();
    for at in 0..SHOWN {
        write!(spans, "<span>{}</span>", short(from_ms + span_ms * at / SHOWN, span_ms)).expect(FITS);
    }
    format!("<div class=xs>{spans}</div>")
}

/// As much of a moment as tells it from its neighbours.
fn short(ms: u64, span_ms: u64) -> String {
    const MINUTES_MS: u64 = 10 * 60_000;
    const DAYS_MS: u64 = 2 * 24 * 3_600_000;
    let whole = moment(ms);
    match span_ms {
        0..MINUTES_MS => whole[11..].to_owned(),
        MINUTES_MS..DAYS_MS => whole[11..16].to_owned(),
        _ => whole[5..10].to_owned(),
    }
}

use super::{Tone, escape, percent};
use crate::Bin;
use std::fmt::Write;
use stdx::format_count;

const FITS: &str = "a string takes any text";

/// Columns side by side, with what their ends mean below. `say` writes a value with its unit.
pub(crate) fn columns(title: &str, bins: &[Bin], tone: Tone, say: impl Fn(u64) -> String) -> String {
    if bins.is_empty() {
        return "<p class=none>none</p>".to_owned();
    }
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1);
    let total: u64 = bins.iter().map(|bin| bin.count).sum();
    let mut rects = String::new();
    for (at, bin) in bins.iter().enumerate() {
        let height = 100.0 * bin.count as f64 / most as f64;
        let label =
            format!("{}: {}, {}", range(bin, &say), format_count(bin.count), percent(bin.count, total));
        writeln!(
            rects,
            "<g><title>{}</title><rect class=hit x={at} y=0 width=1 height=100 />\
             <rect class={} x={at}.06 y=\"{:.2}\" width=.88 height=\"{height:.2}\" /></g>",
            escape(&label),
            tone.class(),
            100.0 - height
        )
        .expect(FITS);
    }
    format!(
        "<div class=plot><div class=ys><span>{}</span><span>0</span></div>\
         <svg role=img aria-label=\"{}\" viewBox=\"0 0 {} 100\" preserveAspectRatio=none>\n{rects}</svg></div>\n{}",
        format_count(most),
        escape(&format!("{title}: {} values", format_count(total))),
        bins.len(),
        ends(bins, &say)
    )
}

fn range(bin: &Bin, say: &impl Fn(u64) -> String) -> String {
    if bin.from == bin.to { say(bin.from) } else { format!("{} to {}", say(bin.from), say(bin.to)) }
}

/// The lower end of the first, of some between, and the upper end of the last.
fn ends(bins: &[Bin], say: &impl Fn(u64) -> String) -> String {
    const SHOWN: usize = 4;
    let step = bins.len().div_ceil(SHOWN).max(1);
    let mut spans = String::new();
    for bin in bins.iter().step_by(step) {
        write!(spans, "<span>{}</span>", escape(&say(bin.from))).expect(FITS);
    }
    let shown = bins.len().div_ceil(step) * step;
    // As many columns as the last label's stretch would fill, so that labels stand under what they name.
    let width = 100.0 * shown as f64 / bins.len() as f64;
    format!("<div class=xs style=\"width:{width:.1}%\">{spans}</div>")
}

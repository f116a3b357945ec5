use super::{name, percent};
use stdx::format_count;

/// A name and how much there is of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) count: u64,
    pub(crate) tone: Tone,
}

/// What a bar means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Odd,
    Bad,
}

impl Tone {
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Odd => "odd",
            Self::Bad => "bad",
        }
    }
}

impl Bar {
    pub(crate) fn new(name: impl Into<String>, count: u64, tone: Tone) -> Self {
        Self { name: name.into(), count, tone }
    }
}

/// Bars beside their names and numbers, as a table: who cannot see the bars reads the numbers. `total` is what shares are of.
pub(crate) fn bars(bars: &[Bar], total: u64) -> String {
    if bars.is_empty() {
        return "<p class=none>none</p>".to_owned();
    }
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    let row = |bar: &Bar| {
        let width = 100.0 * bar.count as f64 / most as f64;
        format!(
            "<tr><th scope=row>{}</th><td class=rule><svg viewBox=\"0 0 100 10\" preserveAspectRatio=none aria-hidden=true>\
             <rect class={} width=\"{width:.2}\" height=10 /></svg></td><td class=number>{}</td><td class=share>{}</td></tr>\n",
            name(&bar.name),
            bar.tone.class(),
            format_count(bar.count),
            percent(bar.count, total)
        )
    };
    format!("<table class=bars>\n{}</table>", bars.iter().map(row).collect::<String>())
}

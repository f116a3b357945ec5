use super::Writer;
use std::fmt::{self, Write};

/// Percent of a page that are styles, all in its head. Of 248 saved pages (extraction benchmarks and readability's tests, 166 KB in the mean,
/// 0.19 of it as gzip) 19 % are styles and 28 % scripts; of the rest a tag takes 43 bytes and there are 9 in a thousand bytes of page.
const STYLE_PERCENT: usize = 19;

/// Percent of a page that are scripts, a kilobyte or so each.
const SCRIPT_PERCENT: usize = 28;

/// The longest piece: what is left of a page before the next is begun.
const PIECE_BYTES: usize = 1_800;

const SCRIPT_BYTES: usize = 1_300;

/// Of what is between tags more than half are blanks.
const INDENT: &str = "              ";

const DECLARATIONS: [&str; 16] = [
    "margin:0 auto",
    "padding:4px 8px",
    "display:flex",
    "display:none",
    "position:relative",
    "color:#1a1a2e",
    "color:inherit",
    "font-size:.875rem",
    "font-weight:700",
    "line-height:1.4",
    "border-bottom:1px solid #ddd",
    "background-color:transparent",
    "width:100%",
    "max-width:calc(100% - 2rem)",
    "transition:opacity .2s ease-in-out",
    "text-transform:uppercase",
];

const PARTS: [&str; 8] = ["title", "image", "body", "footer", "label", "toggle", "list-item", "caption"];

/// What of a page nobody reads, most of its bytes: styles, scripts, and elements around nothing.
impl Writer<'_> {
    pub(super) fn styles(&mut self) {
        let end = self.out.len() + self.size * STYLE_PERCENT / 100;
        self.out.push_str("<style>\n");
        while self.out.len() + 200 < end {
            let bits = self.rng.next_u64();
            let (number, part) = (bits % 400, PARTS[(bits >> 16) as usize % 8]);
            self.out.extend([".card--", &number.to_string(), " .card__", part, "{"]);
            for shift in [20, 30, 40] {
                self.out.extend([DECLARATIONS[(bits >> shift) as usize % 16], ";"]);
            }
            self.out.push_str("}\n");
        }
        self.out.push_str("</style>\n");
    }

    /// Scripts and elements up to here, each in its share.
    pub(super) fn unread(&mut self, end: usize) {
        while self.out.len() + PIECE_BYTES < end {
            if self.script_bytes * 100 < self.out.len() * SCRIPT_PERCENT {
                self.script();
            } else {
                self.card().expect("a string takes everything");
            }
        }
    }

    fn script(&mut self) {
        let start = self.out.len();
        self.out.push_str("<script>window.layers=window.layers||[];window.layers.push([\n");
        while self.out.len() < start + SCRIPT_BYTES {
            self.layer().expect("a string takes everything");
        }
        self.out.push_str("]);</script>\n");
        self.script_bytes += self.out.len() - start;
    }

    fn layer(&mut self) -> fmt::Result {
        let (bits, key, more) = (self.rng.next_u64(), self.rng.next_u64(), self.rng.next_u64());
        let (slot, part) = (bits % 9000, PARTS[(bits >> 20) as usize % 8]);
        write!(self.out, r#"{{"id":"{bits:016x}","slot":{slot},"visible":true,"kind":"{part}","#)?;
        writeln!(self.out, r#""html":"<b>{part}<\/b>","key":"{key:016x}{more:016x}"}},"#)
    }

    fn card(&mut self) -> fmt::Result {
        let (bits, id) = (self.rng.next_u64(), self.rng.next_u64());
        let (number, part) = (bits % 900, PARTS[(bits >> 20) as usize % 8]);
        write!(
            self.out,
            r#"{INDENT}<div class="card card--{number} js-lazy" data-id="{bits:016x}{id:016x}""#
        )?;
        writeln!(self.out, r#" data-track='{{"slot":"{part}"}}'>"#)?;
        writeln!(self.out, r#"{INDENT}<span class="card__{part}"></span>"#)?;
        let (small, large) = (self.rng.next_u64(), self.rng.next_u64());
        write!(self.out, r#"{INDENT}<img class="card__image" alt="" width="640" height="360""#)?;
        write!(self.out, r#" data-src="/media/{small:016x}-640x360.jpg""#)?;
        writeln!(self.out, r#" data-srcset="/media/{large:016x}-1280x720.jpg 2x">"#)?;
        writeln!(self.out, "{INDENT}</div>")
    }
}

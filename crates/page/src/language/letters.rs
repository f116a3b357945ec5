//! Languages that the statistics do not know, but whose letters give them away.

use super::Code;
use stdx::{is_letter, lower_case};

/// Letters counted by what they speak for.
#[derive(Default)]
struct Count {
    letters: u32,
    cyrillic: u32,
    /// `a` to `z`, in either case.
    ascii: [u32; 26],
    script: [u32; SCRIPTS.len()],
    sign: [u32; SIGNS.len()],
    own: [u32; OWN.len()],
}

/// Scripts with one large language each, by the Unicode block.
const SCRIPTS: [(char, char, Code); 5] = [
    ('\u{e80}', '\u{eff}', Code("lo", "lao")),
    ('\u{f00}', '\u{fff}', Code("bo", "bod")),
    ('\u{780}', '\u{7bf}', Code("dv", "div")),
    ('\u{1400}', '\u{167f}', Code("iu", "iku")),
    ('\u{a000}', '\u{a48f}', Code("ii", "iii")),
];

/// Letters that one language has alone: in the Arabic script Pashto, Sorani, Uyghur and Sindhi, of which statistics make Persian, Urdu or Arabic;
/// Assamese, of which they make Bengali; Chuvash, Ossetian and Abkhaz, of which they make any Cyrillic one.
const OWN: [(&str, Code); 8] = [
    ("ښځڅږۍټډړڼ", Code("ps", "pus")),
    ("ڕڵێ", Code("ckb", "ckb")),
    ("ۇۈۋ", Code("ug", "uig")),
    ("ٻڀڄڏڳڱڪ", Code("sd", "snd")),
    ("ৰৱ", Code("as", "asm")),
    ("ӑӗӳ", Code("cv", "chv")),
    ("ӕ", Code("os", "oss")),
    ("ӡҵҽҧҿҩ", Code("ab", "abk")),
];
/// Of a thousand letters, those that tell them.
const OWN_PER_MILLE: u32 = 10;

/// Groups of letters, lower case; `of_cyrillic` and `of_latin` say what they mean together.
const SIGNS: [&str; 15] = ["өү", "ң", "қғ", "ұ", "ҳҷӣӯ", "җ", "ә", "ҡҙҫ", "þ", "ð", "ø", "ħ", "ẹṣ", "ọ", "х"];
const OE_UE: usize = 0;
const NG: usize = 1;
const QAF: usize = 2;
const SHORT_U: usize = 3;
const TAJIK: usize = 4;
const TATAR_J: usize = 5;
const SCHWA: usize = 6;
const BASHKIR: usize = 7;
const THORN: usize = 8;
const ETH: usize = 9;
const SLASHED_O: usize = 10;
const BARRED_H: usize = 11;
const DOTTED_E_S: usize = 12;
const DOTTED_O: usize = 13;
/// The Cyrillic one: Mongolian is full of it, Kyrgyz has it in loanwords.
const HA: usize = 14;
/// Letters from which their shares tell Basque: `pizza` is no text.
const BASQUE_LETTERS: u32 = 40;
/// Letters of Vietnamese, which has dotted vowels too.
const VIETNAMESE: &str = "đươă";

/// The language that the letters of a text give away.
pub(super) fn language(text: &str) -> Option<Code> {
    let mut count = Count::default();
    let mut vietnamese = 0;
    for c in text.chars().filter(|c| !c.is_ascii() || c.is_ascii_alphabetic()) {
        count.add(c);
        vietnamese += u32::from(!c.is_ascii() && VIETNAMESE.contains(c));
    }
    let own_script = SCRIPTS.iter().zip(count.script).find(|(_, seen)| seen * 2 > count.letters);
    if let Some((script, _)) = own_script {
        return Some(script.2);
    }
    if let Some(code) = count.of_its_own() {
        return Some(code);
    }
    if count.cyrillic * 2 > count.letters { count.of_cyrillic() } else { count.of_latin(vietnamese) }
}

/// Whether it may be one of [`SIGNS`]: those of other scripts need not be looked for.
fn is_latin_or_cyrillic(c: char) -> bool {
    c < '\u{530}' || ('\u{1e00}'..'\u{1f00}').contains(&c)
}

/// Whether it may be one of [`OWN`].
fn may_be_own(c: char) -> bool {
    matches!(c, '\u{48a}'..'\u{530}' | '\u{600}'..'\u{700}' | '\u{980}'..'\u{a00}')
}

impl Count {
    fn add(&mut self, c: char) {
        if c.is_ascii() {
            self.letters += 1;
            self.ascii[(c.to_ascii_lowercase() as usize - 'a' as usize) % 26] += 1;
            return;
        }
        let lower = lower_case(c).next().unwrap_or(c);
        self.letters += u32::from(is_letter(c));
        self.cyrillic += u32::from(('\u{400}'..='\u{52f}').contains(&c));
        for (seen, (first, last, _)) in self.script.iter_mut().zip(SCRIPTS) {
            *seen += u32::from((first..=last).contains(&c));
        }
        if may_be_own(c) {
            for (seen, (letters, _)) in self.own.iter_mut().zip(OWN) {
                *seen += u32::from(letters.contains(c));
            }
        }
        if is_latin_or_cyrillic(lower) {
            for (seen, letters) in self.sign.iter_mut().zip(SIGNS) {
                *seen += u32::from(letters.contains(lower));
            }
        }
    }

    /// Whether these letters are more than `per_mille` of all.
    fn over(&self, sign: usize, per_mille: u32) -> bool {
        self.sign[sign] * 1000 > self.letters * per_mille
    }

    fn of_its_own(&self) -> Option<Code> {
        let (seen, (_, code)) = self.own.iter().zip(OWN).max_by_key(|(seen, _)| **seen)?;
        (seen * 1000 > self.letters * OWN_PER_MILLE).then_some(code)
    }

    /// Turkic languages and Mongolian have letters that Slavic ones lack.
    fn of_cyrillic(&self) -> Option<Code> {
        if self.over(BASHKIR, 10) {
            return Some(Code("ba", "bak"));
        }
        if self.over(TAJIK, 10) {
            return Some(Code("tg", "tgk"));
        }
        if self.over(QAF, 10) && (self.over(SHORT_U, 0) || self.over(SCHWA, 5) || self.over(NG, 5)) {
            return Some(Code("kk", "kaz"));
        }
        if self.over(SCHWA, 10) && (self.over(TATAR_J, 0) || self.over(NG, 0)) && !self.over(QAF, 0) {
            return Some(Code("tt", "tat"));
        }
        let is_mongolian = self.over(HA, 20) && !self.over(NG, 0);
        self.over(OE_UE, 10).then_some(if is_mongolian { Code("mn", "mon") } else { Code("ky", "kir") })
    }

    fn of_latin(&self, vietnamese: u32) -> Option<Code> {
        if self.sign[THORN] + self.sign[ETH] > self.letters / 50 && self.sign[SLASHED_O] == 0 {
            return Some(Code("is", "isl"));
        }
        if self.over(ETH, 10) {
            return Some(Code("fo", "fao"));
        }
        if self.over(BARRED_H, 8) {
            return Some(Code("mt", "mlt"));
        }
        if self.over(DOTTED_E_S, 10) && self.sign[DOTTED_E_S] + self.sign[DOTTED_O] > vietnamese * 4 {
            return Some(Code("yo", "yor"));
        }
        self.is_basque().then_some(Code("eu", "eus"))
    }

    /// Basque is full of k and z and has c, q, v, w and y in foreign words only.
    fn is_basque(&self) -> bool {
        let sum = |letters: &str| -> u32 { letters.bytes().map(|b| self.ascii[usize::from(b - b'a')]).sum() };
        self.letters >= BASQUE_LETTERS
            && sum("kz") * 100 > self.letters * 8
            && sum("z") * 50 > self.letters
            && sum("cqvwy") * 200 < self.letters
    }
}

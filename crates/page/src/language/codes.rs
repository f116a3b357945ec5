use super::iso_639_1;
use whatlang::Lang;

/// Languages that statistics do not know, by their two codes.
const OTHERS: [(&str, &str); 47] = [
    ("ab", "abk"),
    ("as", "asm"),
    ("ba", "bak"),
    ("bo", "bod"),
    ("br", "bre"),
    ("bs", "bos"),
    ("cv", "chv"),
    ("dv", "div"),
    ("eu", "eus"),
    ("fo", "fao"),
    ("fy", "fry"),
    ("ga", "gle"),
    ("gd", "gla"),
    ("gl", "glg"),
    ("ha", "hau"),
    ("ht", "hat"),
    ("ig", "ibo"),
    ("ii", "iii"),
    ("is", "isl"),
    ("iu", "iku"),
    ("kk", "kaz"),
    ("ku", "kur"),
    ("ky", "kir"),
    ("lb", "ltz"),
    ("ln", "lin"),
    ("lo", "lao"),
    ("mg", "mlg"),
    ("mi", "mri"),
    ("mn", "mon"),
    ("ms", "msa"),
    ("mt", "mlt"),
    ("ny", "nya"),
    ("oc", "oci"),
    ("os", "oss"),
    ("rm", "roh"),
    ("rw", "kin"),
    ("so", "som"),
    ("sq", "sqi"),
    ("st", "sot"),
    ("su", "sun"),
    ("sw", "swa"),
    ("tg", "tgk"),
    ("tn", "tsn"),
    ("tt", "tat"),
    ("wo", "wol"),
    ("xh", "xho"),
    ("yo", "yor"),
];

/// The ISO 639-3 code, as WET writes it, of a language that [`detect`](super::detect) may find, by its ISO 639-1 code.
pub fn iso_639_3(code: &str) -> Option<&'static str> {
    let by_statistics = Lang::all().iter().find(|lang| iso_639_1(**lang) == code).map(Lang::code);
    by_statistics.or_else(|| OTHERS.iter().find(|(short, _)| *short == code).map(|(_, long)| *long))
}

#[cfg(test)]
mod tests;

//! What stands beside the name of an author, and in a date. In lower case.

/// What stands before the name of an author.
pub(crate) const BY: &[&str] = &[
    "by",
    "von",
    "par",
    "por",
    "di",
    "da",
    "door",
    "av",
    "autor",
    "author",
    "text",
    "written by",
    "posted by",
    "ein beitrag von",
    "ein artikel von",
];

/// What the names of the months begin with.
pub(crate) const MONTHS: [&[&str]; 12] = [
    &["jan", "jän", "ene", "gen", "sty", "янв"],
    &["feb", "fév", "fev", "lut", "фев"],
    &["mar", "mär", "mrz", "maa", "мар"],
    &["apr", "avr", "abr", "kwi", "апр"],
    &["may", "mai", "mag", "mei", "maj", "мая"],
    &["jun", "juin", "giu", "cze", "июн"],
    &["jul", "juil", "lug", "lip", "июл"],
    &["aug", "aoû", "ago", "sie", "авг"],
    &["sep", "set", "wrz", "сен"],
    &["oct", "okt", "ott", "out", "paź", "окт"],
    &["nov", "lis", "ноя"],
    &["dec", "dez", "déc", "dic", "gru", "дек"],
];

/// Words within a date that say nothing: `17 de mayo de 2020`, `17th of May 2020`.
pub(crate) const FILLERS: [&str; 3] = ["de", "del", "of"];

//! Languages that statistics take for one another, told apart by the words that only one of them has.
//!
//! Bosnian and Serbian in Latin letters are Croatian to them, Xhosa is Zulu, and of Danish and Norwegian a page is
//! taken for the other one in ten times.

#[cfg(test)]
mod tests;

use super::Code;
use super::words::{Word, each_word};
use std::sync::LazyLock;
use stdx::Map;

/// A language and what tells it from its neighbours: words, and, where a hyphen follows, what words begin with.
pub(super) struct Neighbour {
    family: Family,
    pub(super) code: Code,
    signs: &'static [&'static str],
}

/// Languages that are taken for one another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    SouthSlavic,
    Nguni,
    Scandinavian,
}

pub(super) static NEIGHBOURS: [Neighbour; 7] = [
    Neighbour::new(Family::SouthSlavic, Code("hr", "hrv"), &[IJEKAVIAN, CROATIAN]),
    Neighbour::new(Family::SouthSlavic, Code("bs", "bos"), &[IJEKAVIAN, EASTERN]),
    Neighbour::new(Family::SouthSlavic, Code("sr", "srp"), &[EKAVIAN, EASTERN]),
    Neighbour::new(Family::Nguni, Code("zu", "zul"), &[ZULU]),
    Neighbour::new(Family::Nguni, Code("xh", "xho"), &[XHOSA]),
    Neighbour::new(Family::Scandinavian, Code("da", "dan"), &[DANISH]),
    Neighbour::new(Family::Scandinavian, Code("no", "nob"), &[NORWEGIAN]),
];

/// What *yat* has become between consonants, in Croatian and Bosnian.
const IJEKAVIAN: &str = "vrijem- vrijedn- mjest- primjer- promijen- promjen- izmijen- izmjen- zamijen- zamjen- \
                         primijen- primjen- razmjen- sljed- slijed- zahtjev- namjer- smjer- uvijek gdje negdje ovdje \
                         prije poslije uspješ- rješenj- odjel- dijelov- dijelim- cjelin- cijelo cijelu djeca djece \
                         djeci čovjek- svjetsk- lijepo lijepa bijelo bijela mlijek- rijeke rijeka riječ riječi dvije \
                         vjera vjeru obavijest- obavješt- razumje- vidjet- živjet- htio htjel- nedjelj- savjet- \
                         pobjed- sjednic- sjever- pjesm- tijelo umjest- smije dio";

/// The same in Serbian.
const EKAVIAN: &str = "vreme vredn- mest- primer- promen- izmen- zamen- primen- razmen- sled- zahtev- namer- smer- \
                       uvek gde negde ovde pre posle uspeš- rešenj- odelj- delov- delim- celin- celo celu deca dece \
                       deci čovek- svetsk- lepo lepa belo bela mlek- reke reka reč reči dve vera veru obavešt- \
                       razume- videt- živet- hteo htel- nedelj- savet- pobed- sednic- sever- pesm- telo umest- sme \
                       deo";

/// What Bosnian and Serbian call otherwise than Croatian.
const EASTERN: &str = "ko neko niko svako šta hiljad- sedmic- uslov- evrop- sistem- saradnj- tačk- tačn- porodic- \
                       općin- opšt- takođe muzik- učestv- hemij- štamp- dugm- meni fajl- januar- februar- mart- \
                       april- juna jula avgust- septembr- oktobr- novembr- decembr-";

/// What Croatian calls otherwise than they.
const CROATIAN: &str = "tko netko nitko svatko tisuć- tjedan tjedn- uvjet- europ- sustav- suradnj- točk- točn- \
                        obitelj- tijekom glazb- sudjel- kemij- tisk- gumb- izbornik- zaslon- inačic- znamenk- \
                        duljin- sučelj- razdoblj- preglednik- naredb- glede tvrtk- sveučiliš- općenit- siječnj- \
                        veljač- ožujk- travnj- svibnj- lipnj- srpnj- kolovoz- rujn- listopad- studenog- prosinc-";

const ZULU: &str = "futhi noma ukuthi uma lapho kanye umuntu ngoba kumele usuku izinsuku manje yini ngemuva";

const XHOSA: &str = "kwaye okanye ukuba xa apho kunye umntu kuba kufuneka umhla iintsuku ngoku ntoni emva ukwenzela \
                     nceda kwakunye";

const DANISH: &str = "af efter op ud ind nu nogle noget mig dig sig brug- vælg- slet- læg- gør- fejl- mellem andet \
                      tilgængelig- egenskab- blev sprog meget uden mod hvad lige bliver indtil";

const NORWEGIAN: &str = "av etter opp ut inn nå noen noe meg deg seg bruk- velg- slett- legg- gjør- feil- mellom \
                         annet tilgjengelig- egenskap- ble språk mye uten mot hva blir inntil";

/// The neighbours that a sign tells of, one bit each.
#[derive(Default)]
struct Signs {
    words: Map<Word, u8>,
    beginnings: Map<Word, u8>,
}

/// A sign has a bit for each.
const _: () = assert!(NEIGHBOURS.len() <= u8::BITS as usize);

static SIGNS: LazyLock<Signs> = LazyLock::new(|| {
    let mut signs = Signs::default();
    for (index, neighbour) in NEIGHBOURS.iter().enumerate() {
        for sign in neighbour.signs.iter().flat_map(|signs| signs.split_ascii_whitespace()) {
            let of_this_make = match sign.strip_suffix('-') {
                Some(beginning) => signs.beginnings.entry(Word::of(beginning)),
                None => signs.words.entry(Word::of(sign)),
            };
            *of_this_make.or_default() |= 1 << index;
        }
    }
    signs
});

/// The language of a family that has the most signs in the text: `found` where none has more, and else of several the last
/// one above, which more is written in.
pub(super) fn nearest(found: Code, text: &str) -> Code {
    let Some(own) = NEIGHBOURS.iter().position(|neighbour| neighbour.code == found) else { return found };
    let mut hits = [0_u32; NEIGHBOURS.len()];
    each_word(text, |spelling| {
        let whole = spelling.beginnings().next().and_then(|word| SIGNS.words.get(&word));
        let begun = spelling.beginnings().filter_map(|beginning| SIGNS.beginnings.get(&beginning));
        let of = whole.into_iter().chain(begun).fold(0, |all, of| all | of);
        for (index, hits) in hits.iter_mut().enumerate() {
            *hits += u32::from(of >> index & 1);
        }
    });
    let is_kin = |index: &usize| NEIGHBOURS[*index].family == NEIGHBOURS[own].family;
    let nearest = (0..NEIGHBOURS.len()).filter(is_kin).max_by_key(|index| (hits[*index], *index == own));
    nearest.map_or(found, |index| NEIGHBOURS[index].code)
}

impl Neighbour {
    const fn new(family: Family, code: Code, signs: &'static [&'static str]) -> Self {
        Self { family, code, signs }
    }
}

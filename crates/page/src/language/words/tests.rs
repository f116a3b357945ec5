use super::{LISTS, Tally, Word};

const ENGLISH: &str = "It was the best that they could have done with what was left of it, and in the end all of them knew \
                       that this was not for those who had been there from the first.";
const NORSE: &str = "Det var en av de som ikke har blitt sett, og han skal være med til det er over, for det er ved sin side \
                     at han og hun eller de kan være.";

#[test]
fn a_text_full_of_one_language_is_decided() {
    assert_eq!(Tally::of(ENGLISH).decided().map(|code| code.0), Some("en"));
}

#[test]
fn neighbours_and_mixtures_are_not() {
    assert!(Tally::of(NORSE).decided().is_none(), "Danish has nearly all of these words");
    assert!(Tally::of("Lorem ipsum dolor sit amet, consectetur adipisicing elit").decided().is_none());
    let german = "und das ist nicht die eine oder der andere, die mit dem auf den bei und zu der in den an";
    assert!(Tally::of(&format!("{ENGLISH} {german} {german}")).decided().is_none());
}

#[test]
fn a_word_is_counted_in_any_case_and_script() {
    let upper = Tally::of("НЕ НА ЧТО КАК ЭТО ИЗ ОТ ТО ЖЕ ОН ДЛЯ НО ТАК БЫЛО ЕГО ИЛИ ВСЕ ПРИ МЫ ОНИ");
    assert_eq!(upper.decided().map(|code| code.0), Some("ru"));
}

#[test]
fn every_listed_word_can_be_met() {
    for word in LISTS.iter().flat_map(|list| list.words.split_ascii_whitespace()) {
        assert!(word.len() <= Word::BYTES as usize, "{word} is too long");
        assert_eq!(word.to_lowercase(), word);
    }
}

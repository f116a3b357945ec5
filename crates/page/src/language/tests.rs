use super::{Reliability, detect};
use crate::limits::LANGUAGE_LETTERS;

#[test]
fn a_guess_takes_so_many_letters() {
    for word in ["kolibric", "Drumlins", "gletsche", "Иванович", "mountain"] {
        let (last, _) = word.char_indices().next_back().unwrap();
        assert_eq!(word.chars().count(), LANGUAGE_LETTERS);
        assert_eq!(detect(word).map(|language| language.reliability), Some(Reliability::Guess), "{word}");
        assert_eq!(detect(&word[..last]), None, "{word}");
        assert_eq!(detect(&format!("{} 7, 8!", &word[..last])), None, "{word}: only letters count");
    }
}

#[test]
fn letters_tell_languages_in_the_arabic_script() {
    for (text, code) in [
        ("د افغانستان په پلازمېنه کابل کې نن سهار ښوونځي پرانیستل شول او زده کوونکي خپلو ټولګیو ته لاړل", "ps"),
        ("ئەمڕۆ لە شاری هەولێر چەند قوتابخانەیەک کرانەوە و منداڵان گەڕانەوە بۆ پۆلەکانیان", "ckb"),
        ("بۈگۈن شەھەردە يېڭى مەكتەپلەر ئېچىلدى، بالىلار سىنىپلىرىغا قايتىپ كەلدى ۋە ئوقۇشنى باشلىدى", "ug"),
        ("اڄ شهر ۾ نوان اسڪول کوليا ويا ۽ ٻار پنهنجن ڪلاسن ڏانهن موٽي آيا", "sd"),
        ("امروز در تهران مدارس تازه باز شدند و دانش‌آموزان به کلاس‌های خود بازگشتند و درس را آغاز کردند", "fa"),
        ("آج شہر میں نئے اسکول کھولے گئے اور بچے اپنی جماعتوں میں واپس آ گئے اور پڑھائی شروع ہو گئی", "ur"),
    ] {
        assert_eq!(detect(text).map(|found| found.iso_639_1.to_owned()).as_deref(), Some(code), "{text}");
    }
}

#[test]
fn a_few_letters_are_not_basque() {
    for text in ["jazz", "Pizza", "Kids zone", "Zanzibar tour", "Tokio, Graz, Zagreb"] {
        let found = detect(text).filter(|language| language.iso_639_1 == "eu");
        assert_eq!(found, None, "{text}");
    }
    let text = "Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela";
    assert_eq!(detect(text).map(|language| language.iso_639_1), Some("eu"));
}

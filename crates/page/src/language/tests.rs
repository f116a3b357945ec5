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
fn neighbours_are_told_apart_by_letters_and_words() {
    for (text, code) in [
        ("আজি চহৰৰ নতুন বিদ্যালয়খন খোলা হ'ল আৰু ল'ৰা-ছোৱালীবোৰ শ্ৰেণীকোঠালৈ ঘূৰি আহিল", "as"),
        ("আজ শহরের নতুন বিদ্যালয়টি খোলা হলো এবং ছেলেমেয়েরা শ্রেণিকক্ষে ফিরে এল", "bn"),
        (
            "Sekolah baru itu akan dibuka di bandar kerana ramai kanak-kanak tidak boleh pergi ke sekolah lama",
            "ms",
        ),
        (
            "Sekolah baru itu akan dibuka di kota karena banyak anak tidak bisa pergi ke sekolah yang lama",
            "id",
        ),
        (
            "Tha an sgoil ùr fosgailte a-nis anns a' bhaile agus bidh a' chlann a' dol ann gach latha leis a' bhus",
            "gd",
        ),
        (
            "Tá an scoil nua oscailte anois sa bhaile agus téann na páistí ann gach lá ar an mbus lena gcairde",
            "ga",
        ),
    ] {
        assert_eq!(detect(text).map(|found| found.iso_639_1), Some(code), "{text}");
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

#[test]
fn code_does_not_outnumber_east_asian_text() {
    let code = "fn main() { let config = Config::from_env(); let server = Server::bind(config.address); server.run().unwrap(); }\n\
                impl Server { pub fn bind(address: SocketAddr) -> Self { Self { socket: Socket::new(address) } } }\n";
    for (text, expected) in [
        (
            "設定は環境変数から読み込まれ、サーバーはその住所で待ち受けます。起動に失敗すると終了します。",
            "ja",
        ),
        ("配置从环境变量中读取，服务器在该地址上监听。如果启动失败，程序会退出并打印错误信息。", "zh"),
        ("설정은 환경 변수에서 읽으며 서버는 그 주소에서 기다린다. 시작에 실패하면 프로그램이 끝난다.", "ko"),
    ] {
        let text = format!("{text}\n{code}");
        assert_eq!(detect(&text).map(|language| language.iso_639_1), Some(expected), "{text}");
    }
}

#[test]
fn a_name_in_another_script_is_no_language() {
    let text = "The word \u{6771}\u{4eac} is the name of the city of Tokyo, and it is written with the two characters for \
                east and capital, which is what the city was called from then on by all who lived there and in the country.";
    assert_eq!(detect(text).map(|language| language.iso_639_1), Some("en"));
    let text = "Nintendo \u{4efb}\u{5929}\u{5802} opens a shop";
    assert_ne!(detect(text).map(|language| language.iso_639_1), Some("zh"));
    let text = "日本語の「の」という助詞は、中国でも店の名前などに使われることがある。";
    assert_eq!(detect(text).map(|language| language.iso_639_1), Some("ja"));
    let text = "优の良品是一家店的名字，其中的假名没有什么意思，只是为了好看。";
    assert_eq!(detect(text).map(|language| language.iso_639_1), Some("zh"));
}

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
fn a_text_without_function_words_is_guessed_at() {
    let listing = "Index of /5.36/Class\nName Last modified Size Description\nParent Directory\n\
                   ISA.pm 2024-01-01 10:10 5.4K\nStruct.pm 2024-01-01 10:10 17K";
    let language = detect(listing).unwrap();
    assert_eq!((language.reliability, language.confidence), (Reliability::Guess, 0.5));
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
        (
            "Nova škola je otvorena u gradu prije početka godine, a djeca koja ovdje žive uvijek idu pješice tijekom tjedna",
            "hr",
        ),
        (
            "Nova škola je otvorena u gradu pre početka godine, a deca koja ovde žive uvek idu peške tokom nedelje, gde god to mogu",
            "sr",
        ),
        (
            "Nova škola je otvorena u općini prije početka godine, a niko ne zna šta će djeca raditi ovdje do septembra",
            "bs",
        ),
        (
            "Den nye skole åbnede efter ferien, og nogle af børnene ved nu hvad de skal bruge mellem timerne",
            "da",
        ),
        ("Den nye skolen åpnet etter ferien, og noen av barna vet nå hva de skal bruke mellom timene", "no"),
        (
            "Isikolo esitsha sivuliwe edolophini kwaye abantwana bafika kunye nabazali babo xa kuqala ixesha okanye emva koko",
            "xh",
        ),
        (
            "Isikole esisha sivuliwe edolobheni futhi izingane zifika kanye nabazali bazo uma kuqala isikhathi noma ngemuva kwalokho",
            "zu",
        ),
    ] {
        assert_eq!(detect(text).map(|found| found.iso_639_1), Some(code), "{text}");
    }
}

#[test]
fn languages_that_statistics_lack_are_told_by_words_and_letters() {
    for (text, code) in [
        (
            "De nije skoalle is iepen gien en de bern geane troch it doarp nei har lessen, mei in tas foar elts fak",
            "fy",
        ),
        (
            "Nouvo lekòl la louvri nan vil la epi timoun yo ap mache chak jou pou yo ale nan klas yo ak zanmi yo",
            "ht",
        ),
        (
            "An bude sabuwar makaranta a cikin gari kuma yara suna zuwa da kafa ko da keke domin su yi karatu",
            "ha",
        ),
        (
            "L'escòla novèla es dobèrta dins la vila e los dròlles i van amb lors amics per las carrièras cada jorn",
            "oc",
        ),
        (
            "Dibistana nû li bajêr hate vekirin û zarok her roj bi hev re diçin dersên xwe ji bo ku tiştan hîn bibin",
            "ku",
        ),
        (
            "Nosokafana ny sekoly vaovao ao an-tanàna ka mandeha any isan'andro ny ankizy mba hianatra ary hilalao",
            "mg",
        ),
        (
            "Kua tuwhera te kura hou ki te taone, ā, ka haere ngā tamariki ki reira i ia rā me ō rātou hoa",
            "mi",
        ),
        (
            "Sakola anyar dibuka di kota jeung barudak leumpang ka ditu unggal poé pikeun diajar ku guru anu bageur",
            "su",
        ),
        (
            "Sekolo se sesha se butswe toropong mme bana ba ya teng kaofela ka letsatsi ho ithuta le metswalle ya bona",
            "st",
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

//! Languages in Latin letters that the statistics do not know, by their commonest function words.
//!
//! The lists are closed classes (articles, prepositions, conjunctions, pronouns, auxiliaries) as any grammar of
//! the language has them; neighbours that the statistics do know are listed beside them, to be compared with.

use super::Code;
use std::sync::LazyLock;
use stdx::Map;

struct List {
    code: Code,
    /// Whether the statistics know the language, so that it is here for comparison only.
    known: Known,
    words: &'static str,
}

#[derive(PartialEq, Eq)]
enum Known {
    Yes,
    No,
}

const LISTS: [List; 24] = [
    List {
        code: Code("eu", "eus"),
        known: Known::No,
        words: "eta da du dute dira ez bat edo izan den diren duen duten dituzte dio zaio bere beren beste hori hau \
                baina ere behar ditu dago zen ziren guztiek guztiak inor oro bezala arabera gabe arte baino ezin baita",
    },
    List {
        code: Code("ga", "gle"),
        known: Known::No,
        words: "agus an na ar le is go do i ag tá gach sé sí a bhfuil bheith nó don den sa san chun ó ina mar atá níl \
                féin aon gan faoi idir leis acu aige é iad seo sin ní nach eile bíonn dá chuig um tríd",
    },
    List {
        code: Code("gl", "glg"),
        known: Known::No,
        words: "unha dunha nunha o a os as e de do da dos das que en no na nos nas non ou ao aos á ás co coa cos coas \
                polo pola polos polas se por para con sen é son ten teñen todo toda seu súa súas seus máis un ser \
                este esta mesmo entre ningunha ninguén deste desta moi cando tamén foi eran",
    },
    List {
        code: Code("lb", "ltz"),
        known: Known::No,
        words: "an de d den déi dat däer dem der ass sinn vun vum fir mat op am an net eng en engem e huet hunn gëtt \
                gi säi seng senger sech och oder wéi bei iwwer wann all jidfereen kee keng ginn ze zu zum zur no \
                ouni kann mussen",
    },
    List {
        code: Code("mt", "mlt"),
        known: Known::No,
        words: "il l li u ta tal fil fl ma minn għal għall għandu kull hu hija huwa b bil dan din jew mill lil biex \
                kif ikun wieħed kien fuq",
    },
    List {
        code: Code("so", "som"),
        known: Known::No,
        words: "iyo waa ku oo ka ama la aan uu ay u in ee isku kasta leeyahay ah waxaa waxay wuxuu si iyada isaga \
                qof qofka kale loo lagu laga ugu inuu inay dhan wax leh hal marka sida ayaa baa kuwa",
    },
    List {
        code: Code("sw", "swa"),
        known: Known::No,
        words: "ya na wa kwa katika ni kila la za mtu watu au cha yake kama ana huo hii hiyo bila vya wote yeyote \
                wake kuwa pia lakini sana hakuna zake wao yao huu hayo kutoka baada ili tu mwa",
    },
    List {
        code: Code("sq", "sqi"),
        known: Known::No,
        words: "dhe të në e i një për me që është nuk ka nga si do më ose kjo janë tij saj çdo gjithë kanë duke \
                kur deri por pa ky mund se s",
    },
    List {
        code: Code("br", "bre"),
        known: Known::No,
        words: "ha hag ar an al ur un ul eus da gant e evit ez zo a en er peb den pe dre war n'eo o he hep gwir bet",
    },
    List {
        code: Code("cy", "cym"),
        known: Known::Yes,
        words: "yn yr ac ar mae bod gan bob neu ei eu na nad ni wedi gyda heb sydd fod un hawl dros trwy drwy rhag wrth \
                mewn am at fel hyn hon hynny pob unrhyw dylai oes",
    },
    List {
        code: Code("hr", "hrv"),
        known: Known::Yes,
        words: "je se na za od da ne koji koja koje kao ili ima su iz po pri bez te nije biti svoje svoju svog svim \
                sve mu ga će bi ni smije bude njegov svaka svaki svako svatko",
    },
    List {
        code: Code("sv", "swe"),
        known: Known::Yes,
        words: "och att det som en ett på är av för med den till har de om var inte eller skall ska sin sitt sina \
                envar vid från genom hans varje alla får utan deras må",
    },
    List {
        code: Code("sl", "slv"),
        known: Known::Yes,
        words: "je in na za od da ne ki kot ali ima so iz po pri brez se ni biti svoje svojo njegov vsak vsakdo vse \
                sme bi ter pa tudi ga mu",
    },
    List {
        code: Code("zu", "zul"),
        known: Known::Yes,
        words: "futhi noma ukuthi wonke umuntu ukuba unelungelo nge kanye yonke zonke kumelwe kufanele lapho kodwa \
                bonke ngaphandle njengoba uma akekho kwakhe ngokuba",
    },
    List {
        code: Code("ca", "cat"),
        known: Known::Yes,
        words: "el la els les de del dels que en un una amb per no és són al als se seu seva seves tota tot tothom \
                té dret ni com sense aquest aquesta qualsevol també entre sigui",
    },
    List {
        code: Code("es", "spa"),
        known: Known::Yes,
        words: "el la los las y de del que en un una unos por con no su sus al se para o es a lo como más este esta \
                toda todo sin son tiene ser ni entre fue ha también cuando muy",
    },
    List {
        code: Code("pt", "por"),
        known: Known::Yes,
        words: "o a os as e de do da dos das que em no na nos nas um uma não ou ao aos à às pelo pela com sem é são \
                tem seu sua suas seus mais por para se ser este esta todo toda entre foi também quando muito",
    },
    List {
        code: Code("de", "deu"),
        known: Known::Yes,
        words: "der die das und in zu den dem des ein eine einer eines einem mit auf für von im ist sind nicht auch \
                an als oder sich hat haben werden wird seine seiner ihre bei aus durch nach wie zur zum über daß dass",
    },
    List {
        code: Code("nl", "nld"),
        known: Known::Yes,
        words: "de het een en van in te dat die op is zijn met voor niet aan er om ook als dan maar bij of heeft \
                hebben wordt worden door naar uit tot zijne haar ieder geen over zal deze dit recht der",
    },
    List {
        code: Code("it", "ita"),
        known: Known::Yes,
        words: "il lo la i gli le e di del della dei che in un una per con non ed è sono a al alla da dal si o suo \
                sua ogni ha nel nella come più anche delle degli essere questo",
    },
    List {
        code: Code("en", "eng"),
        known: Known::Yes,
        words: "the of and to in a is that for it as was with be by on not he his or are at this from have has an \
                which all their its no shall any but were",
    },
    List {
        code: Code("fr", "fra"),
        known: Known::Yes,
        words: "le la les de des du et en un une à au aux que qui est sont dans par pour sur ne pas il elle se ou l \
                d avec sans son sa ses ce cette toute tout plus être a s",
    },
    List {
        code: Code("id", "ind"),
        known: Known::Yes,
        words: "yang dan di dengan untuk dari pada dalam ini itu atau tidak adalah oleh ke sebagai setiap orang \
                berhak akan telah juga karena ada mereka tanpa",
    },
    List {
        code: Code("tl", "tgl"),
        known: Known::Yes,
        words: "ang ng sa mga na at ay ng kanyang bawat may ito para ni hindi isang o kung nang lahat siya niya \
                walang karapatan upang",
    },
];

static BY_WORD: LazyLock<Map<&'static str, u32>> = LazyLock::new(|| {
    let mut by_word = stdx::map();
    for (index, list) in LISTS.iter().enumerate() {
        for word in list.words.split_ascii_whitespace() {
            *by_word.entry(word).or_insert(0) |= 1 << index;
        }
    }
    by_word
});

/// The language whose function words a text has most of, where the statistics do not know that language and the
/// words are at least a seventh of the text. Words of one letter are in too many languages to say anything.
pub(super) fn language(text: &str) -> Option<Code> {
    const SHARE: usize = 7;
    let mut hits = [0usize; LISTS.len()];
    let lower = text.to_lowercase();
    let mut words = 0;
    for word in lower.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1) {
        words += 1;
        let mut lists = BY_WORD.get(word).copied().unwrap_or(0);
        while lists != 0 {
            hits[lists.trailing_zeros() as usize] += 1;
            lists &= lists - 1;
        }
    }
    let most = *hits.iter().max()?;
    let winner = hits.iter().position(|hits| *hits == most)?;
    let is_clear = hits.iter().filter(|hits| **hits == most).count() == 1;
    let list = &LISTS[winner];
    (is_clear && list.known == Known::No && most * SHARE >= words && most > 1).then_some(list.code)
}

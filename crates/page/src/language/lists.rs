//! The commonest function words of each language.
//!
//! The lists are closed classes (articles, prepositions, conjunctions, pronouns, auxiliaries) as any grammar of
//! the language has them. Beside a language stand the neighbours that share its words, so that where words
//! cannot tell no language is far ahead.

use super::Code;

/// A language and its words, one blank between them.
pub(super) struct List {
    pub(super) code: Code,
    /// Whether the statistics know the language as well.
    pub(super) known: Known,
    pub(super) words: &'static str,
}

/// See [`List::known`].
#[derive(PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
}

pub(super) const LISTS: [List; 64] = [
    unknown(
        Code("eu", "eus"),
        "eta da du dute dira ez bat edo izan den diren duen duten dituzte dio zaio bere beren beste hori hau \
         baina ere behar ditu dago zen ziren guztiek guztiak inor oro bezala arabera gabe arte baino ezin baita",
    ),
    unknown(
        Code("ga", "gle"),
        "agus an na ar le is go do i ag tá gach sé sí a bhfuil bheith nó don den sa san chun ó ina mar atá níl \
         féin aon gan faoi idir leis acu aige é iad seo sin ní nach eile bíonn dá chuig um tríd",
    ),
    unknown(
        Code("gd", "gla"),
        "agus na ar le is do tha air gu gun bha ann anns nach chan cha aig bhith iad sin seo mar no neo gach \
         uile fhèin bhon dhan ris eadar fo gus bidh às leis aca aice dha aon seo eile",
    ),
    unknown(
        Code("ms", "msa"),
        "yang dan di dengan untuk dari pada dalam ini itu atau tidak adalah oleh ke sebagai setiap orang \
         berhak akan telah juga kerana ada mereka tanpa kepada boleh dapat seperti bahawa hendaklah ialah iaitu \
         sahaja daripada",
    ),
    unknown(
        Code("gl", "glg"),
        "unha dunha nunha o a os as e de do da dos das que en no na nos nas non ou ao aos á ás co coa cos coas \
         polo pola polos polas se por para con sen é son ten teñen todo toda seu súa súas seus máis un ser \
         este esta mesmo entre ningunha ninguén deste desta moi cando tamén foi eran",
    ),
    unknown(
        Code("lb", "ltz"),
        "an de d den déi dat däer dem der ass sinn vun vum fir mat op am an net eng en engem e huet hunn gëtt \
         gi säi seng senger sech och oder wéi bei iwwer wann all jidfereen kee keng ginn ze zu zum zur no \
         ouni kann mussen",
    ),
    unknown(
        Code("mt", "mlt"),
        "il l li u ta tal fil fl ma minn għal għall għandu kull hu hija huwa b bil dan din jew mill lil biex \
         kif ikun wieħed kien fuq",
    ),
    unknown(
        Code("so", "som"),
        "iyo waa ku oo ka ama la aan uu ay u in ee isku kasta leeyahay ah waxaa waxay wuxuu si iyada isaga \
         qof qofka kale loo lagu laga ugu inuu inay dhan wax leh hal marka sida ayaa baa kuwa",
    ),
    unknown(
        Code("sw", "swa"),
        "ya na wa kwa katika ni kila la za mtu watu au cha yake kama ana huo hii hiyo bila vya wote yeyote \
         wake kuwa pia lakini sana hakuna zake wao yao huu hayo kutoka baada ili tu mwa",
    ),
    unknown(
        Code("sq", "sqi"),
        "dhe të në e i një për me që është nuk ka nga si do më ose kjo janë tij saj çdo gjithë kanë duke \
         kur deri por pa ky mund se s",
    ),
    unknown(
        Code("br", "bre"),
        "ha hag ar an al ur un ul eus da gant e evit ez zo a en er peb den pe dre war n'eo o he hep gwir bet",
    ),
    unknown(
        Code("rm", "roh"),
        "il la ils las da dal dals dalla cun per è ed in ina quai quest questa betg vegn vegnir ses lur nun er ni tar \
         tutta tut mintga persuna dretg han sun sco davart senza cur ora vus pli tras ins uschia anc",
    ),
    unknown(
        Code("ny", "nya"),
        "ndi munthu aliyense ali ufulu wa ya za mu ku pa kapena kuti popanda ngati onse zonse wina anthu koma ndipo \
         pamene ayenera amene omwe chifukwa ichi kwa la cha chake wake mwa si",
    ),
    known(
        Code("cy", "cym"),
        "yn yr ac ar mae bod gan bob neu ei eu na nad ni wedi gyda heb sydd fod un hawl dros trwy drwy rhag wrth \
         mewn am at fel hyn hon hynny pob unrhyw dylai oes",
    ),
    unknown(
        Code("ku", "kur"),
        "û ku bi di de ji bo li xwe her wî wê ew hemû kes heye yan jî be bê an tu dikare gelek ev vê hatin \
         hate dibe nav wan ye ne ya yên têne tê nikare",
    ),
    unknown(
        Code("ht", "hat"),
        "nan yon ak ki li pou tout moun gen dwa se pa yo sou lè oswa kèk osinon fè ka te ap sa men avèk anpil \
         mwen nou ou tankou chak jan san lòt konsa kote",
    ),
    unknown(
        Code("ha", "hau"),
        "da na a ta ya ba ga su shi ce don ko wani wata ne ke kuma sai cikin wanda duk domin yake suka aka \
         yana suna akwai kowa kowane haka wannan daga zai",
    ),
    unknown(
        Code("su", "sun"),
        "anu jeung ku ka di nu pikeun dina éta teu ieu jalma unggal hak boga sarta saha kudu atawa nya naon \
         geus ogé kana tina henteu bisa lian sakabéh jadi",
    ),
    unknown(
        Code("oc", "oci"),
        "lo la los las de del dels que en un una dins amb per es son pas se totes totas tota tot aquel aquela \
         aqueste aquesta mas coma al als pels sens ont quand cada lor sus cal o drech aver èsser pòt serà",
    ),
    unknown(
        Code("ig", "ibo"),
        "na nke ka ndị ya ọ onye mmadụ nwere ike ma ọbụla maọbụ ga ihe bụ kwesịrị site dị niile otu ha mba \
         anyị ọzọ nọ maka gị abụghị nweta",
    ),
    unknown(
        Code("rw", "kin"),
        "mu ku ni na umuntu wese cyangwa ibyo iyo aho muri nta kugira ngo kuri byose bose abantu iri iyi uyu \
         ubwo bya cya ya ry cy bw rw rya wa ko ntabwo hamwe niba igihe kandi bwo nyuma yawe ari",
    ),
    unknown(
        Code("mg", "mlg"),
        "ny sy dia ho amin izany fa no tsy rehetra olona manana zo izay ary na ao noho hoe ireo raha misy azy \
         aza satria mba ka koa an eo",
    ),
    unknown(
        Code("tn", "tsn"),
        "le go ya a e ka mo o kgotsa mongwe na gore ba tsa fa motho nngwe sa ga kwa bo tse ke di jaaka botlhe \
         otlhe se la nang tota mme gongwe",
    ),
    unknown(
        Code("st", "sot"),
        "le ho ya a e ka o mong tsa kapa ba ke motho hore ha la sa ena di ntle tse mme kgotsa hona bohle ohle \
         eo moo se haeba",
    ),
    unknown(
        Code("mi", "mri"),
        "te ki he nga o me ngā tāngata katoa ka kua ai ia i e hoki ana mō ko tēnei kore rānei hei ahau au ō \
         rāua mai atu tetahi tētahi",
    ),
    unknown(
        Code("fy", "fry"),
        "it fan yn foar mei hat net oan ek wurdt troch syn har elts elkenien oer sa dy dizze wêze binne wie \
         hie moat en de is jo kin fanôf jins nei of ferskate gjin",
    ),
    unknown(
        Code("ln", "lin"),
        "na ya ba to te mpo bato moto nyonso azali kati mpe oyo biso bango soki esengeli nde yango lokola \
         epai ke moko ndenge mosusu ezali bazali makoki",
    ),
    unknown(
        Code("wo", "wol"),
        "ci ak te la na mu nga yi bi ñu am nit wala ñépp lu ku gu bu bépp moom dina mën waa ngir sañ bañ yépp \
         ñoo daal",
    ),
    known(
        Code("hr", "hrv"),
        "je se na za od da ne koji koja koje kao ili ima su iz po pri bez te nije biti svoje svoju svog svim \
         sve mu ga će bi ni smije bude njegov svaka svaki svako svatko",
    ),
    known(
        Code("jv", "jav"),
        "lan ing kang sing iku ora karo saka uga kudu dadi marang kanggo ana wong utawa tumrap dening kabeh \
         saben bisa iki ya yen wis sarta hak nduwe nduweni minangka kayata ka ku di",
    ),
    known(
        Code("sv", "swe"),
        "och att det som en ett på är av för med den till har de om var inte eller skall ska sin sitt sina \
         envar vid från genom hans varje alla får utan deras må",
    ),
    known(
        Code("sl", "slv"),
        "je in na za od da ne ki kot ali ima so iz po pri brez se ni biti svoje svojo njegov vsak vsakdo vse \
         sme bi ter pa tudi ga mu",
    ),
    known(
        Code("zu", "zul"),
        "futhi noma ukuthi wonke umuntu ukuba unelungelo nge kanye yonke zonke kumelwe kufanele lapho kodwa \
         bonke ngaphandle njengoba uma akekho kwakhe ngokuba",
    ),
    known(
        Code("ca", "cat"),
        "el la els les de del dels que en un una amb per no és són al als se seu seva seves tota tot tothom \
         té dret ni com sense aquest aquesta qualsevol també entre sigui",
    ),
    known(
        Code("es", "spa"),
        "el la los las y de del que en un una unos por con no su sus al se para o es a lo como más este esta \
         toda todo sin son tiene ser ni entre fue ha también cuando muy",
    ),
    known(
        Code("pt", "por"),
        "o a os as e de do da dos das que em no na nos nas um uma não ou ao aos à às pelo pela com sem é são \
         tem seu sua suas seus mais por para se ser este esta todo toda entre foi também quando muito",
    ),
    known(
        Code("de", "deu"),
        "der die das und in zu den dem des ein eine einer eines einem mit auf für von im ist sind nicht auch \
         an als oder sich hat haben werden wird seine seiner ihre bei aus durch nach wie zur zum über daß dass",
    ),
    known(
        Code("nl", "nld"),
        "de het een en van in te dat die op is zijn met voor niet aan er om ook als dan maar bij of heeft \
         hebben wordt worden door naar uit tot zijne haar ieder geen over zal deze dit recht der",
    ),
    known(
        Code("it", "ita"),
        "il lo la i gli le e di del della dei che in un una per con non ed è sono a al alla da dal si o suo \
         sua ogni ha nel nella come più anche delle degli essere questo",
    ),
    known(
        Code("en", "eng"),
        "the of and to in a is that for it as was with be by on not he his or are at this from have has an \
         which all their its no shall any but were",
    ),
    known(
        Code("fr", "fra"),
        "le la les de des du et en un une à au aux que qui est sont dans par pour sur ne pas il elle se ou l \
         d avec sans son sa ses ce cette toute tout plus être a s",
    ),
    known(
        Code("id", "ind"),
        "yang dan di dengan untuk dari pada dalam ini itu atau tidak adalah oleh ke sebagai setiap orang \
         berhak akan telah juga karena ada mereka tanpa kepada boleh dapat seperti bahwa harus bisa saat",
    ),
    known(
        Code("tl", "tgl"),
        "ang ng sa mga na at ay ng kanyang bawat may ito para ni hindi isang o kung nang lahat siya niya \
         walang karapatan upang",
    ),
    known(
        Code("af", "afr"),
        "die en van in het is nie te wat vir met op dat hy sy om as sal deur of aan word mag elke reg hom haar \
         hierdie daar ook uit hulle ons gebruik hierdie wees kan",
    ),
    known(
        Code("da", "dan"),
        "og at det som en er på af for med den til der ikke de har et om var han eller skal ved fra sin sine enhver \
         være kan blev efter også over mod jeg hun denne dette",
    ),
    known(
        Code("no", "nob"),
        "og at det som en er på av for med den til der ikke de har et om var han eller skal ved fra sin sine enhver \
         være kan ble etter også over mot jeg hun denne dette",
    ),
    known(
        Code("fi", "fin"),
        "ja on ei se että hän oli ovat joka mutta kuin myös tai jos ole sen niin kun siitä sekä jokaisella hänen \
         olla olisi voi vain mitä mukaan tämä tämän ne nyt",
    ),
    known(
        Code("pl", "pol"),
        "na do się nie jest to że jak od po przez oraz dla za są przy ma być lub czy jego ten tym tej tego które \
         który która jako tak ale już",
    ),
    known(
        Code("cs", "ces"),
        "na je se že do to by jako pro ve za nebo po jsou který která které má při od ze podle není však jeho její \
         být byl bylo také ale až",
    ),
    known(
        Code("sk", "slk"),
        "na je sa že do to by ako pre vo za alebo po sú ktorý ktorá ktoré má pri od zo podľa nie však jeho jej byť \
         bol bolo tiež ale až",
    ),
    known(
        Code("hu", "hun"),
        "az és hogy nem is egy van meg ez de csak már volt azt ha mint vagy kell lehet ami amely minden el ki sem \
         még pedig szerint után között joga",
    ),
    known(
        Code("ro", "ron"),
        "și în de la cu nu pe să care este din un mai pentru sau ca prin orice fi are au al ale lui sunt fost dar \
         după acest această",
    ),
    known(
        Code("tr", "tur"),
        "ve bir bu da de için ile olarak olan her çok daha ne gibi kadar sonra ya veya var değil ki ise olduğu \
         olması hakkı herkesin mi en",
    ),
    known(
        Code("az", "aze"),
        "və bir bu da də üçün ilə olaraq olan hər çox daha nə kimi qədər sonra ya var deyil ki isə olduğu hüququ",
    ),
    known(
        Code("vi", "vie"),
        "và của các là có được trong cho không một những người với này đã để khi từ theo quyền mọi hay do về",
    ),
    known(
        Code("ru", "rus"),
        "и в не на что с по как это из у за от то же он для но к так было его или все при мы они также быть был \
         только если",
    ),
    known(
        Code("uk", "ukr"),
        "і в не на що з як до та у за від це але він для його або всі при ми вони також бути був лише якщо є має \
         про які",
    ),
    known(
        Code("be", "bel"),
        "і ў не на што з як да у за ад гэта але ён для яго або ўсе пры мы яны таксама быць быў толькі калі мае пра \
         якія",
    ),
    known(
        Code("bg", "bul"),
        "и в не на че с по как това от за се да е са той но или при ние те също беше само ако има като които който \
         до си",
    ),
    known(
        Code("sr", "srp"),
        "и у не на што да је се са по као то из за од су он или при ми они такође бити био само ако има који која \
         које",
    ),
    known(
        Code("mk", "mkd"),
        "и во не на што да е се со по како тоа од за ќе тој или при ние тие исто бил само ако има кој која кои ги го",
    ),
    known(Code("ar", "ara"), "في من على أن إلى عن لا ما هذا هذه التي الذي كان مع كل أو ثم لم قد بين بعد"),
    known(Code("fa", "pes"), "و در به از که این را با است برای آن یک خود تا بر هم نیز می شود"),
    known(Code("ur", "urd"), "کے کی میں ہے اور سے کا کو پر یہ نے کہ ہیں جو نہیں"),
];

/// A word has a bit for each.
const _: () = assert!(LISTS.len() <= u64::BITS as usize);

const fn known(code: Code, words: &'static str) -> List {
    List { code, known: Known::Yes, words }
}

const fn unknown(code: Code, words: &'static str) -> List {
    List { code, known: Known::No, words }
}

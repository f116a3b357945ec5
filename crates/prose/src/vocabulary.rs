//! The words that say what an element or a line is, in the languages of the pages that are read most.

use crate::marks::{Marks, Meaning};

/// Words of classes and ids; `word*` is every word that begins so. Two words in a row count as one too:
/// `relatedposts` is `related-posts` and `relatedPosts`.
pub(crate) const NAMES: &[Meaning] = &[
    Meaning {
        marks: Marks::BODY,
        words: "articlebody articlecontent articlecopy articlemain articletext articletextbody articulo artikelbody \
                artikelcontent artikelinhalt artikeltext beitragsinhalt beitragstext blogbody blogcontent blogentry \
                blogpost blogtext bodycontent bodycopy bodytext contentbody contenttext cuerpo detailtext entrybody \
                entrycontent entrytext fulltext maintext mwparser newsarticle newsbody newscontent newsdetail newstext \
                pagecontent postarticle postbody postcontent postentry postfull posttext richtext sectioncontent \
                singlecontent singlepost storybody storycontent storytext textbody textcontent textearticle wysiwyg",
    },
    Meaning {
        marks: Marks::CONTENT,
        words: "article* artikel* beitrag* blog body contenido content* contenu conteudo copy entry* hentry inhalt* main \
                markdown post prose story* testo text tresc",
    },
    Meaning {
        marks: Marks::COMMENTS,
        words: "comentario* comment* coral discussion* disqus* facebookcomment fbcomment* guestbook hyvor isso komentar* \
                kommentar* leserbrief* leserkommentar* livefyre* openweb opinionstage pingback* reacties remark replies \
                reply respond spotim talkback* trackback* viafoura",
    },
    Meaning {
        marks: Marks::SHARE,
        words: "a2a addthis* addtoany* bookmark* compartir condividi essb facebook* fblike flattr folgen follow followus \
                googleplus heateor* instagram* jetpack likebox linkedin* partager pinit pinterest* share* shariff* \
                sharing* sharrre sociable* social* somebar ssba sumo teilen* telegram* tweet* twitter* whatsapp* xing",
    },
    Meaning {
        marks: Marks::RELATED,
        words: "aehnlich* alire alsolike articlelist articlenav artikellinks cardlist correlat* crosslink* crp discover* \
                dossier* empfehlung* featured feed feeds furtherreading headlines infobox interesting internallink \
                jprelatedposts latest latestnews latestposts leestook leggianche ligatus* linkbox lireaussi mehrartikel \
                mehrzum* meistgelesen* morearticles morefrom morein morelike morenews moreon moreposts morestories \
                mostpopular mostread mostviewed newslist nextpost* nextprev nrelate* onward* outbrain* plista* popular* \
                postlist postnavigation prevnext prevpost* readalso readmore readnext recent recentposts recirc* \
                recommend* relacionad* related* seealso siblings similar storylist suggest* taboola* tease teaser* themen \
                topnews topstories trending* upnext verwandt* weitere weiterfuehrend* weiterlesen wprp yarpp* youmay \
                zemanta* zergnet*",
    },
    Meaning {
        marks: Marks::NAVIGATION,
        words: "anchornav autocomplete blaettern breadcrumb* brotkrumen* burger crumb* dropdown* eztoc filter* hamburger \
                hauptmenu inhaltsverzeichnis jump jumplink jumpto lang langswitch* languages languageswitch* megamenu \
                menu* metanav metanavi* nav navbar* navi navigat* pagenav* pager pageselect* pagination* paginator paging \
                ressort* rubriken search* seitennavigation servicenav sitemap skip* subnav suche* suchform* \
                tableofcontents tablist tabs toc topbar topmenu topnav wppagenavi",
    },
    Meaning {
        marks: Marks::FOOTER,
        words: "bottom bottombar closing colophon foot footer* footnav fuss* impressum pagefooter pied postfooter \
                sitefooter subfooter",
    },
    Meaning {
        marks: Marks::HEADER,
        words: "banner* branding dachzeile header* kicker kopf* logo* masthead* overline siteheader sitetitle tagline \
                topheader",
    },
    Meaning {
        marks: Marks::SIDEBAR,
        words: "archiv archive archives aside* blogroll calendar colleft colright complementary factbox infospalte kasten \
                leftcol* leftside marginal* pluginlist rail randspalte rechtespalte rechts rightcol* rightrail rightside \
                secondary seitenleiste sidebar* sidecol* sidecontent sidenav spalterechts tagcloud widget*",
    },
    Meaning {
        marks: Marks::ADVERT,
        words: "ad adblock* adbox adcontainer adcontent adlabel admarker adplace* ads adsense adslot* adtech adunit* adv \
                advert* adwrap* adzone affiliate* amazon* angebot* anzeige* billboard buybox commercial* deal deals dfp* \
                donat* doubleclick gpt kaufen leaderboard merch* mpu offer* partner* patreon promo* pubblicita \
                publicidad* publicite* reklam* shop* skyscraper spenden* sponsor* werbung*",
    },
    Meaning {
        marks: Marks::SUBSCRIBE,
        words: "abo abonn* abos account anmelden anmeldung calltoaction contactform* cta dialog* feedburner \
                followbutton gform* iscriviti jetztabonnieren kontaktform* lightbox* login* mailchimp* mailinglist \
                mcembed* memberarea memberlogin membersarea membership* membersonly modal* newsletter* notification* \
                optin* overlay* paywall* piano* podcast poll* popup* push pushnotification* quiz* register \
                registration registrier* regwall rss* signin* signup* subscri* survey* suscri* umfrage* vote* voting \
                wpcf wpforms*",
    },
    Meaning {
        marks: Marks::LEGAL,
        words: "consent* cookie* copyright* correction* datenschutz* disclaimer* dsgvo* gdpr* imprint legal* license* \
                lizenz* privacy* rechtliches rights terms",
    },
    Meaning {
        marks: Marks::BYLINE,
        words: "aboutauthor abouttheauthor articleauthor articledate articlefooter articleinfo* articlemeta* articletime \
                auteur* author* autor* avatar* bio biobox biography byline* contributor* date dateline datetime datum \
                entrydate entryfooter entryinfo entrymeta* entryutility gravatar* lastupdate* lesedauer* lesezeit* meta \
                metadata metainfo* modified postdate postdetails posted* postinfo* postmeta* posttime profile* pubdate \
                publishdat* published* publishtime quelle* readingtime readtime redakteur* timestamp* \
                updated vcard verfasser* viewcount views writer*",
    },
    Meaning {
        marks: Marks::KEYWORDS,
        words: "categorie* category catlinks entrytags hashtag* kategorie* keyword* labels postcategories posttag* rubrik \
                schlagwoert* schlagwort* stichwort* tag tagbox tagged* taglinks taglist tags taxonomy topic topiclist \
                topics",
    },
    Meaning {
        marks: Marks::CAPTION,
        words: "bildbeschreibung bildnachweis* bildquelle* bildtext* bildunterschrift* caption* copyrightnotice credit* \
                figcaption* imagecaption imagecredit* imagedesc* imageinfo imagetext imgcaption legend* mediacaption \
                photocaption photocredit* photographer picturecaption subline wpcaption*",
    },
    Meaning {
        marks: Marks::HIDDEN,
        words: "a11y accessib* assistivetext displaynone dnone hidden* hide invisible noprint noscript offleft offscreen \
                onlyprint printonly screenreader* sronly unsichtbar versteckt visuallyhidden visuallyhide",
    },
    Meaning {
        marks: Marks::TOOLS,
        words: "action* audio audioplayer backtotop bewertung* btn* button* close control* correct countdown counter* \
                drucken editlink editsection emoji* error* feedback* fontsize helpful like likes listen loader loading* \
                mweditsection noprint placeholder player* postedit postratings print printlink progress* rating* \
                reaction* readability readspeaker* report schriftgroesse scroll* spinner stars systemmessage tool* totop \
                translate* translation* utility* voicereader vorlesen",
    },
    Meaning {
        marks: Marks::MEDIA,
        words: "bildergalerie* bilderstrecke* brightcove* carousel* embed* fotostrecke* galerie* gallery* iframe* \
                jwplayer* karussell* lightbox map* media photogallery slick* slider* slideshow* swiper* thumb* video*",
    },
    Meaning {
        marks: Marks::AUTHOR,
        words: "articleauthor auteur author authorname autor autorin byline bylineauthor entryauthor postauthor postedby \
                redakteur verfasser writer",
    },
    Meaning {
        marks: Marks::DATE,
        words: "articledate date dateline datetime datum entrydate postdate posttime pubdate publicationdate publishdate \
                published publishtime timestamp",
    },
    Meaning {
        marks: Marks::TITLE,
        words: "articletitle entrytitle headline posttitle titel title titre titulo ueberschrift",
    },
    Meaning {
        marks: Marks::LEAD,
        words: "abstract anreisser chapeau deck dek einleitung excerpt intro lead lede sapo standfirst subtitle summary \
                teasertext vorspann",
    },
];

/// A word after one of these says what is absent, what the page has elsewhere, or how a box is laid out.
pub(crate) const NEGATIONS: &[&str] = &[
    "no",
    "not",
    "non",
    "has",
    "with",
    "without",
    "is",
    "ohne",
    "mit",
    "hat",
    "overflow",
    "padding",
    "border",
    "rounded",
    "align",
    "highlight",
    "deprecation",
    "elementor",
];

/// ARIA roles.
pub(crate) const ROLES: &[Meaning] = &[
    Meaning { marks: Marks::CONTENT, words: "main article" },
    Meaning { marks: Marks::NAVIGATION, words: "navigation menu menubar tablist search" },
    Meaning { marks: Marks::HEADER, words: "banner" },
    Meaning { marks: Marks::FOOTER, words: "contentinfo" },
    Meaning { marks: Marks::SIDEBAR, words: "complementary" },
    Meaning { marks: Marks::SUBSCRIBE, words: "dialog alertdialog alert" },
    Meaning { marks: Marks::TOOLS, words: "toolbar button" },
];

/// ARIA roles of what stands aside and is of the text.
pub(crate) const NOTES: &[&str] =
    &["doc-endnote", "doc-endnotes", "doc-example", "doc-footnote", "doc-notice", "doc-tip", "note"];

/// Types of links (HTML 4.6.7.2).
pub(crate) const LINK_TYPES: &[Meaning] = &[Meaning { marks: Marks::AUTHOR, words: "author" }];

/// What the numbers of lines are called within code.
pub(crate) const LINE_NUMBERS: &[&str] =
    &["gutter", "hljslnn", "linenos", "lineno", "linenumber", "linenumbers", "ln", "lnnum", "lnt"];
/// Letters of the longest of them, and one.
pub(crate) const LINE_NUMBER_CHARS: usize = 12;

/// Properties of microdata, in lower case.
pub(crate) const PROPERTIES: &[Meaning] = &[
    Meaning { marks: Marks::BODY, words: "articlebody" },
    Meaning { marks: Marks::CONTENT, words: "text" },
    Meaning { marks: Marks::AUTHOR, words: "author" },
    Meaning { marks: Marks::DATE, words: "datepublished" },
    Meaning { marks: Marks::BYLINE, words: "author datepublished datemodified publisher" },
    Meaning { marks: Marks::TITLE, words: "headline" },
    Meaning { marks: Marks::COMMENTS, words: "comment" },
    Meaning { marks: Marks::CAPTION, words: "caption" },
    Meaning { marks: Marks::KEYWORDS, words: "keywords" },
    Meaning { marks: Marks::NAVIGATION, words: "breadcrumb" },
];

/// Declarations that hide an element, without spaces.
pub(crate) const STYLES: &[&str] = &["display:none", "visibility:hidden"];

/// What short lines begin with that are about the page, not of its text; `|` between them.
pub(crate) const LINES: &str = "read more|read also|read next|see also|also read|also on|more on this|more:|click here|share this|\
    share on|follow us|follow @|subscribe|sign up|newsletter|advertisement|sponsored|related:|related story|\
    watch:|watch the|photo:|photo by|photos:|image:|image credit|image source|images:|picture:|credit:|\
    source:|sources:|via:|copyright|©|(c) |all rights reserved|filed under|tagged|tags:|posted in|posted by|\
    posted on|published on|published:|updated:|last updated|by clicking|print this|email this|loading|\
    this article was originally|this story was originally|figure 1|enlarge|skip to|leave a comment|\
    report an error|download the app|you may also like|lesen sie auch|lesen sie hier|lesen sie mehr|\
    lesen sie dazu|auch interessant|mehr zum thema|mehr dazu|mehr lesen|weiterlesen|siehe auch|hier klicken|\
    teilen|jetzt teilen|artikel teilen|folgen sie|folge uns|folgt uns|anzeige|werbung|foto:|fotos:|bild:|\
    bilder:|bildquelle|bildnachweis|quelle:|quellen:|abbildung |abb.|grafik:|autor:|text:|von redaktion|\
    veröffentlicht|erstellt am|stand:|zuletzt aktualisiert|kategorie|schlagwörter|schlagworte|tags |stichwort|\
    drucken|artikel drucken|jetzt abonnieren|abonnieren|anmelden|kommentieren|kommentar schreiben|\
    zum kommentieren|zurück|nach oben|zur startseite|zur übersicht|dieser artikel|dieser eintrag wurde|\
    this entry was posted|cet article a été|dieser beitrag|vorheriger|nächster|\
    inhaltsverzeichnis|telefon:|tel.:|tel:|fax:|e-mail:|pressekontakt|ansprechpartner|kontakt:|lesezeit|\
    ihre meinung|gefällt mir|gefällt dir|lire aussi|à lire aussi|voir aussi|lire la suite|publié le|\
    mis à jour|crédit|partager|abonnez|leer más|lea también|lee también|ver también|te puede interesar|\
    le puede interesar|compartir|síguenos|suscríbete|publicado|foto de|leia também|leia mais|veja também|\
    compartilhe|publicidad|leggi anche|condividi|czytaj także|czytaj też|zobacz także|zobacz też|więcej na|\
    fot.|lees ook|читайте также|фото:|источник:|vea también";

/// Those of them that sentences begin with, too: `Sponsored by a local bank, the festival …`, `Zurück in Berlin …`.
pub(crate) const SENTENCES: &str = "also on|loading|sponsored|anzeige|werbung|zurück|nächster|vorheriger|\
    teilen|crédit|partager|compartir|publicado|publicidad|\
    compartilhe|condividi|więcej na";

/// Short lines that stand after an article, whole.
pub(crate) const ENDS: &str = "comments|related|recommended|share|trending|see also|\
    further reading|external links|sponsored|tags|copyright|references|footnotes|kommentare|\
    ansprechpartner|rückfragen|kontakt|contact|meistgelesen|autor|teilen|newsletter|schlagwörter|\
    schlagworte|pressekontakt|beitragsnavigation|themen|quellen|anzeige|commentaires|comentarios|\
    comentários|commenti|komentarze|podobne|reacties|gerelateerd|комментарии|похожие";

/// What other such lines begin with: a blank behind a word has others follow.
pub(crate) const END_BEGINNINGS: &str = "leave a comment|leave a reply|post a comment|\
    related articles|related posts|related stories|related news|related content|related topics|\
    more stories|more from|more on |more news|more articles|you may also|you might also|read next|\
    about the author|about author|share this|follow us|most read|most popular|latest news|\
    popular posts|recent posts|sign up for|subscribe to|join the conversation|what do you think|\
    around the web|from the web|editor's picks|up next|filed under|all rights reserved|kommentare |\
    kommentar |ansprechpartner |press contact|media contact|для комментариев|добавить отзыв|\
    добавить комментарий|самые популярные|schreibe einen kommentar|schreiben sie einen kommentar|\
    hinterlasse ein|ähnliche |verwandte |weitere artikel|weitere beiträge|weitere meldungen|\
    weitere themen|weitere nachrichten|weiterführende |das könnte|auch interessant|mehr zum thema|\
    mehr aus|mehr artikel|mehr von|meistgelesene |neueste |aktuelle beiträge|über den autor|\
    über die autor|über uns|zum autor|diesen artikel teilen|diesen beitrag|artikel teilen|\
    beitrag teilen|folgen sie uns|sharen mit|mit anderen teil|gefällt mir|lesen sie auch|\
    lesen sie mehr|passend zum thema|zur startseite|articles liés|sur le même|à lire aussi|\
    deja un comentario|deja una respuesta|artículos relacionados|noticias relacionadas|lo más|\
    te puede interesar|deixe um|leia também|veja também|articoli correlati|lascia un|\
    potrebbe interessarti|zobacz także|zobacz też|czytaj także|читайте также";

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

//! What elements are called: classes, ids, roles, properties.

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

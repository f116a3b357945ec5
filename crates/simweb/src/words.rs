//! Words, several to a line: that is why `rustfmt` is kept off the lists.

/// A language that pages are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// ISO 639-1 `en`.
    English,
    /// ISO 639-1 `de`.
    German,
    /// ISO 639-1 `fr`.
    French,
    /// ISO 639-1 `es`.
    Spanish,
    /// ISO 639-1 `ru`.
    Russian,
}

impl Language {
    /// The ISO 639-1 code, as in `<html lang>`.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Russian => "ru",
        }
    }

    /// Words of running text; the frequent ones first.
    pub(crate) fn words(self) -> &'static [&'static str] {
        match self {
            Self::English => &ENGLISH,
            Self::German => &GERMAN,
            Self::French => &FRENCH,
            Self::Spanish => &SPANISH,
            Self::Russian => &RUSSIAN,
        }
    }

    /// Words of paths, in ASCII.
    pub(crate) fn slugs(self) -> &'static [&'static str; 32] {
        match self {
            Self::German => &GERMAN_SLUGS,
            Self::French => &FRENCH_SLUGS,
            Self::Spanish => &SPANISH_SLUGS,
            Self::English | Self::Russian => &ENGLISH_SLUGS,
        }
    }
}

/// First parts of ordinary domain names.
#[rustfmt::skip]
pub(crate) const DOMAIN_WORDS: [&str; 32] = [
    "harbour", "meadow", "quill", "lantern", "orchard", "granite", "willow", "ember", "compass", "thistle",
    "saddle", "marble", "heron", "barley", "copper", "juniper", "anvil", "cobble", "drift", "falcon",
    "ginger", "hollow", "ivory", "kestrel", "linden", "mill", "nettle", "osprey", "pebble", "raven",
    "sorrel", "tinder",
];

/// First parts of the domain names that farms buy.
#[rustfmt::skip]
pub(crate) const FARM_WORDS: [&str; 8] = [
    "bargain", "jackpot", "cheapest", "winnow", "freebie", "discount", "clickbay", "promo",
];

/// First labels of the hosts of an ordinary domain, in the order hosts are made.
#[rustfmt::skip]
pub(crate) const LABELS: [&str; 24] = [
    "www", "blog", "news", "shop", "docs", "wiki", "forum", "m", "en", "de", "archive", "media", "help",
    "status", "events", "jobs", "research", "library", "store", "press", "mail", "data", "labs", "old",
];

#[rustfmt::skip]
const ENGLISH: [&str; 72] = [
    "the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "was", "on", "with", "as", "are", "by",
    "this", "from", "which", "their", "have", "they", "were", "between", "because", "after", "through",
    "where", "would", "people", "water", "river", "bridge", "market", "history", "evening", "morning",
    "winter", "summer", "children", "workers", "council", "harvest", "measured", "carried", "opened",
    "found", "built", "written", "travelled", "slowly", "together", "against", "without", "several",
    "another", "early", "ancient", "quiet", "northern", "valley", "garden", "letters", "weather",
    "question", "answer", "village", "machine", "paper", "window", "station", "evidence",
];

#[rustfmt::skip]
const GERMAN: [&str; 72] = [
    "der", "die", "und", "in", "den", "von", "zu", "das", "mit", "sich", "des", "auf", "für", "ist", "im",
    "dem", "nicht", "ein", "eine", "als", "auch", "es", "an", "werden", "aus", "er", "hat", "dass", "sie",
    "nach", "wird", "bei", "einer", "um", "am", "sind", "noch", "wie", "einem", "über", "Brücke", "Fluss",
    "Markt", "Geschichte", "Abend", "Morgen", "Winter", "Sommer", "Kinder", "Arbeiter", "Ernte", "gemessen",
    "getragen", "geöffnet", "gefunden", "gebaut", "geschrieben", "langsam", "zusammen", "gegen", "ohne",
    "mehrere", "früh", "nördlich", "Tal", "Garten", "Briefe", "Wetter", "Frage", "Dorf", "Maschine",
    "Bahnhof",
];

#[rustfmt::skip]
const FRENCH: [&str; 72] = [
    "de", "la", "le", "et", "les", "des", "en", "un", "du", "une", "que", "est", "pour", "qui", "dans", "a",
    "par", "plus", "pas", "au", "sur", "ne", "se", "ce", "il", "sont", "avec", "mais", "comme", "ou", "si",
    "leur", "elle", "deux", "même", "était", "aussi", "cette", "entre", "après", "rivière", "pont",
    "marché", "histoire", "soirée", "matin", "hiver", "été", "enfants", "ouvriers", "récolte", "mesuré",
    "porté", "ouvert", "trouvé", "construit", "écrit", "lentement", "ensemble", "contre", "sans",
    "plusieurs", "ancien", "vallée", "jardin", "lettres", "temps", "question", "réponse", "village",
    "machine", "gare",
];

#[rustfmt::skip]
const SPANISH: [&str; 72] = [
    "de", "la", "que", "el", "en", "y", "a", "los", "se", "del", "las", "un", "por", "con", "no", "una",
    "su", "para", "es", "al", "lo", "como", "más", "o", "pero", "sus", "le", "ha", "me", "si", "sin",
    "sobre", "este", "ya", "entre", "cuando", "todo", "esta", "ser", "son", "río", "puente", "mercado",
    "historia", "tarde", "mañana", "invierno", "verano", "niños", "obreros", "cosecha", "medido", "llevado",
    "abierto", "encontrado", "construido", "escrito", "lentamente", "juntos", "contra", "varios", "antiguo",
    "valle", "jardín", "cartas", "tiempo", "pregunta", "respuesta", "pueblo", "máquina", "estación",
    "también",
];

#[rustfmt::skip]
const RUSSIAN: [&str; 72] = [
    "и", "в", "не", "на", "что", "с", "он", "как", "это", "по", "но", "они", "к", "у", "мы", "из", "за",
    "то", "же", "от", "так", "было", "для", "все", "только", "его", "или", "бы", "когда", "уже", "при",
    "до", "чтобы", "если", "между", "после", "через", "где", "потому", "более", "река", "мост", "рынок",
    "история", "вечер", "утро", "зима", "лето", "дети", "рабочие", "урожай", "нашли", "построили",
    "написали", "открыли", "медленно", "вместе", "против", "без", "несколько", "другой", "рано", "древний",
    "тихий", "долина", "сад", "письма", "погода", "вопрос", "ответ", "деревня", "станция",
];

#[rustfmt::skip]
const ENGLISH_SLUGS: [&str; 32] = [
    "report", "garden", "winter", "bridge", "market", "history", "river", "travel", "letters", "weather",
    "council", "harvest", "station", "village", "machine", "library", "science", "kitchen", "music",
    "school", "theatre", "harbour", "railway", "painting", "language", "evening", "summer", "forest",
    "island", "valley", "paper", "window",
];

#[rustfmt::skip]
const GERMAN_SLUGS: [&str; 32] = [
    "bericht", "garten", "winter", "bruecke", "markt", "geschichte", "fluss", "reise", "briefe", "wetter",
    "rat", "ernte", "bahnhof", "dorf", "maschine", "bibliothek", "wissenschaft", "kueche", "musik",
    "schule", "theater", "hafen", "eisenbahn", "malerei", "sprache", "abend", "sommer", "wald", "insel",
    "tal", "papier", "fenster",
];

#[rustfmt::skip]
const FRENCH_SLUGS: [&str; 32] = [
    "rapport", "jardin", "hiver", "pont", "marche", "histoire", "riviere", "voyage", "lettres", "meteo",
    "conseil", "recolte", "gare", "village", "machine", "bibliotheque", "science", "cuisine", "musique",
    "ecole", "theatre", "port", "rail", "peinture", "langue", "soiree", "ete", "foret", "ile", "vallee",
    "papier", "fenetre",
];

#[rustfmt::skip]
const SPANISH_SLUGS: [&str; 32] = [
    "informe", "jardin", "invierno", "puente", "mercado", "historia", "rio", "viaje", "cartas", "tiempo",
    "consejo", "cosecha", "estacion", "pueblo", "maquina", "biblioteca", "ciencia", "cocina", "musica",
    "escuela", "teatro", "puerto", "tren", "pintura", "idioma", "tarde", "verano", "bosque", "isla",
    "valle", "papel", "ventana",
];

//! What lines begin with, or are, that are no text. In lower case, `|` between them.

/// What short lines begin with that are about the page, not of its text.
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

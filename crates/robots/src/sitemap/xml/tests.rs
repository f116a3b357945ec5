use super::Scanner;

/// Steps of a search for each octet, at most: an end of each kind is looked for once, and windows overlap by half.
const STEPS: usize = 8;

#[test]
fn openings_without_end_do_not_blow_up() {
    for opening in
        ["<!--", "<![CDATA[", "<?", "<!", "<", "<a b='", "<url><loc>", "&#", "&", "x", "<!--<![CDATA[<?<!<a"]
    {
        let document = format!("<urlset><loc>{}", opening.repeat(1_000_000));
        let mut scanner = Scanner::new();
        scanner.scan(document.as_bytes(), |_| ()).unwrap();
        let (steps, most) = (scanner.search.steps, STEPS * document.len());
        assert!((document.len()..=most).contains(&steps), "{opening}: {steps} steps for {}", document.len());
    }
}

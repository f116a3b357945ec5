use crate::html::{card, document, escape};
use std::fmt::Write;
use stdx::format_duration_ms;

/// Who crawls, and how it treats servers.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Who {
    /// The `User-Agent` header.
    pub user_agent: String,
    /// The name that robots.txt files call it by.
    pub token: String,
    /// A URL or an e-mail address.
    pub contact: Option<String>,
    /// Whether a site is shown again the cookies that it has set.
    pub keeps_cookies: bool,
    /// The origin whose key directory has the key of its signatures.
    pub signed_by: Option<String>,
    /// Least time from the end of a request to a host to the start of the next, in milliseconds.
    pub host_ms: u64,
    /// The same for a server address.
    pub server_ms: u64,
    /// Least time between the starts of two requests to a domain.
    pub domain_ms: u64,
}

const FITS: &str = "a string takes any text";

/// A page for the address that the `User-Agent` names: who we are, what we do, how to stop us.
pub fn contact_page(who: &Who) -> String {
    let mut body = String::new();
    write!(
        body,
        "<h1>{}</h1>\n<p class=lead>A web crawler visits your site under this name. Here is who runs it, what it does, and how to stop it.</p>\n",
        escape(&who.token)
    )
    .expect(FITS);
    body.push_str(&cards(who));
    body.push_str(
        "<footer>Made by drumlin contact-page. Put it where the crawler's User-Agent points.</footer>\n",
    );
    document(&format!("{}: a web crawler", who.token), &body)
}

/// What every page for webmasters says.
pub(super) fn cards(who: &Who) -> String {
    let about = format!(
        "<pre>User-Agent: {}</pre>\n<p>{}</p>{}",
        escape(&who.user_agent),
        contact_line(who),
        signature_line(who)
    );
    let promises: Vec<String> =
        promises(who).iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
    let stop = format!(
        "<pre>{}</pre>\n<p>in robots.txt stops it within 24 hours, which is as long as rules are trusted. <code>Crawl-delay</code> slows it down.{}</p>",
        escape(&stop_lines(who)),
        if who.contact.is_some() {
            " Write to us and it stops sooner, and what was fetched is taken out."
        } else {
            ""
        }
    );
    [
        card("Who we are", "", &about),
        card("What to expect", "", &format!("<ul>\n{}</ul>", promises.join("\n"))),
        card("How to stop us", "", &stop),
    ]
    .concat()
}

/// Lines of robots.txt that keep it out.
pub(super) fn stop_lines(who: &Who) -> String {
    format!("User-agent: {}\nDisallow: /", who.token)
}

/// What is promised, a sentence each.
pub(super) fn promises(who: &Who) -> Vec<String> {
    let ms = format_duration_ms;
    let cookies = if who.keeps_cookies {
        "Cookies are shown to the site that has set them, and forgotten when the program ends."
    } else {
        "No cookies."
    };
    vec![
        "robots.txt (RFC 9309) is fetched before anything else and again after a day; while it can't be had, nothing is fetched but what rules of the last thirty days allow.".to_owned(),
        format!(
            "One connection to a host, and at least {} between two requests; longer after slow answers, or as Crawl-delay says.",
            ms(who.host_ms)
        ),
        format!("At least {} between two requests to one address, whatever hosts it has.", ms(who.server_ms)),
        format!("At least {} between the starts of two requests to one domain.", ms(who.domain_ms)),
        "429, 503 and Retry-After are obeyed. No forms, no scripts.".to_owned(),
        cookies.to_owned(),
    ]
}

fn contact_line(who: &Who) -> String {
    match &who.contact {
        None => "Whoever runs it has given no address to write to.".to_owned(),
        Some(contact) => match href(contact) {
            Some(href) => {
                format!("Write to <a href=\"{}\">{}</a>.", escape(&href), escape(contact))
            }
            None => format!("Write to {}.", escape(contact)),
        },
    }
}

/// Only what a click may do no harm with.
fn href(contact: &str) -> Option<String> {
    let is_safe = ["https://", "http://", "mailto:"].iter().any(|scheme| contact.starts_with(scheme));
    if is_safe {
        return Some(contact.to_owned());
    }
    (contact.contains('@') && !contact.contains(':')).then(|| format!("mailto:{contact}"))
}

fn signature_line(who: &Who) -> String {
    let Some(agent) = &who.signed_by else { return String::new() };
    format!(
        "<p>Every request is signed (RFC 9421, tag <code>web-bot-auth</code>). The key is at {}/.well-known/http-message-signatures-directory.</p>",
        escape(agent)
    )
}

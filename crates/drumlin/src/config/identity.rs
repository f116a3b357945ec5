use crate::exit::BadUsage;

/// Who we say we are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The `User-Agent` header.
    pub(crate) user_agent: String,
    /// Its product token, the name that robots.txt files call us by (RFC 9309, section 2.2.1).
    pub(crate) token: String,
    /// Whom to write to.
    pub(crate) contact: Option<String>,
}

const PRODUCT: &str = concat!("drumlin/", env!("CARGO_PKG_VERSION"));

/// Browsers and other people's crawlers: to call oneself so is to lie to the server, wherever it stands.
const OTHERS: &[&str] = &[
    "mozilla",
    "chrome",
    "safari",
    "firefox",
    "opera",
    "edge",
    "applewebkit",
    "msie",
    "trident",
    "googlebot",
    "bingbot",
    "msnbot",
    "slurp",
    "duckduckbot",
    "baiduspider",
    "yandexbot",
    "applebot",
    "ccbot",
    "gptbot",
    "claudebot",
    "bytespider",
    "amazonbot",
    "facebookexternalhit",
    "twitterbot",
    "linkedinbot",
    "petalbot",
    "seznambot",
    "ahrefsbot",
    "semrushbot",
    "mj12bot",
    "archive_org_bot",
    "heritrix",
    "googleother",
    "adsbot-google",
    "mediapartners-google",
    "storebot-google",
    "feedfetcher-google",
    "apis-google",
    "bingpreview",
    "adidxbot",
    "duckassistbot",
    "yandeximages",
    "oai-searchbot",
    "chatgpt-user",
    "claude-user",
    "claude-searchbot",
    "claude-web",
    "anthropic-ai",
    "perplexitybot",
    "perplexity-user",
    "cohere-ai",
    "meta-externalagent",
    "meta-externalfetcher",
    "facebookbot",
    "amzn-searchbot",
    "mistralai-user",
    "youbot",
    "diffbot",
    "omgilibot",
    "timpibot",
    "imagesiftbot",
    "bravebot",
    "mojeekbot",
    "qwantbot",
    "exabot",
    "coccocbot",
    "dotbot",
    "dataforseobot",
    "blexbot",
    "barkrowler",
    "tiktokspider",
    "pangubot",
    "slackbot",
    "discordbot",
    "telegrambot",
    "pinterestbot",
    "ia_archiver",
    "headlesschrome",
];

/// Programs that fetch, and whose names stand for whose crawlers: one may be made with them, and say so, but is not they.
const TOOLS: &[&str] = &[
    "google",
    "curl",
    "libcurl",
    "wget",
    "scrapy",
    "nutch",
    "httrack",
    "bubing",
    "stormcrawler",
    "browsertrix",
    "python-requests",
    "python-urllib",
    "python-httpx",
    "httpx",
    "aiohttp",
    "go-http-client",
    "okhttp",
    "apache-httpclient",
    "libwww-perl",
    "guzzlehttp",
    "axios",
    "node-fetch",
    "undici",
    "reqwest",
    "colly",
    "httpie",
    "postmanruntime",
    "puppeteer",
    "playwright",
    "selenium",
    "phantomjs",
    "lynx",
];

/// The longest user agent and contact that are sent, in bytes: servers log them.
const BYTES_MAX: usize = 500;

impl Identity {
    /// `drumlin/<version> (+contact)`, or the operator's own product instead of ours.
    pub(crate) fn new(user_agent: Option<&str>, contact: Option<&str>) -> Result<Self, BadUsage> {
        let contact = contact.map(checked_contact).transpose()?;
        let product = user_agent.unwrap_or(PRODUCT).trim();
        let token = checked_product(product)?;
        let user_agent = match contact {
            Some(contact) if !product.contains(contact) => format!("{product} (+{contact})"),
            _ => product.to_owned(),
        };
        Ok(Self { user_agent, token: token.to_owned(), contact: contact.map(str::to_owned) })
    }
}

/// A web address or an e-mail address.
fn checked_contact(contact: &str) -> Result<&str, BadUsage> {
    let contact = contact.trim();
    let is_web = weburl::Url::parse(contact).is_ok();
    let address = contact.strip_prefix("mailto:").unwrap_or(contact);
    let is_mail = address.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    let is_clean = contact.bytes().all(|byte| byte.is_ascii_graphic() && !b"()\"\\".contains(&byte));
    if (is_web || is_mail) && is_clean && contact.len() <= BYTES_MAX {
        return Ok(contact);
    }
    Err(BadUsage(format!("contact `{contact}` is neither a web address (https://…) nor an e-mail address")))
}

/// The product token at the beginning of a user agent.
fn checked_product(user_agent: &str) -> Result<&str, BadUsage> {
    let end = user_agent.find(|c: char| !is_token_char(c)).unwrap_or(user_agent.len());
    let (token, rest) = user_agent.split_at(end);
    let is_sendable = user_agent.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    if token.is_empty() || !(rest.is_empty() || rest.starts_with(['/', ' '])) || !is_sendable {
        return Err(BadUsage(format!(
            "user agent `{user_agent}` must begin with a product token of letters, `-` and `_`, as in `my-crawler/1.0`"
        )));
    }
    if user_agent.len() > BYTES_MAX {
        return Err(BadUsage(format!("the user agent is longer than {BYTES_MAX} bytes")));
    }
    match borrowed(user_agent, &token.to_ascii_lowercase()) {
        Some(name) => Err(BadUsage(format!("user agent `{user_agent}` passes for another program ({name})"))),
        None => Ok(token),
    }
}

/// The other program that a user agent names itself as, or that its token does.
fn borrowed(user_agent: &str, token: &str) -> Option<&'static str> {
    let words = user_agent.split(|c: char| !is_token_char(c) && !c.is_ascii_digit());
    let is_in = |name: &str| words.clone().any(|word| word.eq_ignore_ascii_case(name));
    let others = OTHERS.iter().find(|name| is_in(name) || is_of(token, name));
    others.or_else(|| TOOLS.iter().find(|name| is_of(token, name))).copied()
}

/// Whether a token is this name, or one of its kind: `googlebot-image` is of `googlebot`, `googlebotany` is not.
fn is_of(token: &str, name: &str) -> bool {
    token.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
}

fn is_token_char(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '-' || c == '_'
}

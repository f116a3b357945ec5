use crate::config::WebConfig;
use crate::draw::{Purpose, hash};
use crate::words::{DOMAIN_WORDS, FARM_WORDS, LABELS};
use std::fmt::Write;

/// One host of a web: the `host`-th under the `domain`-th registrable domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostId {
    /// Ordinary domains first, then those of farms.
    pub domain: u32,
    /// 0 is `www`; [`HostId::APEX`] is the bare domain, which redirects to it.
    pub host: u32,
}

impl HostId {
    /// The `host` of a name without a first label.
    pub const APEX: u32 = u32::MAX;

    /// `www` of a domain.
    pub fn www(domain: u32) -> Self {
        Self { domain, host: 0 }
    }

    /// One number for draws.
    pub(crate) fn word(self) -> u64 {
        u64::from(self.domain) << 32 | u64::from(self.host)
    }
}

/// Appends the name of a host: `www.harbour12.test`. The registrable domain is always the last two labels.
pub(crate) fn write_name(config: &WebConfig, id: HostId, out: &mut String) {
    match id.host {
        HostId::APEX => {}
        host if is_farm(config, id.domain) => write_label(out, 'x', host),
        host => match LABELS.get(host as usize) {
            Some(label) => out.extend([*label, "."]),
            None => write_label(out, 's', host),
        },
    }
    out.push_str(domain_word(config, id.domain));
    write_number(out, u64::from(id.domain));
    out.push_str(".test");
}

/// The host of a name in lower case, or `None` for a name of no host of this web. Whether the domain
/// has that many hosts is for the layout to say.
pub(crate) fn read_name(config: &WebConfig, name: &str) -> Option<HostId> {
    let rest = name.strip_suffix(".test")?;
    let (label, second) = rest.rsplit_once('.').map_or((None, rest), |(label, second)| (Some(label), second));
    let start = second.find(|c: char| c.is_ascii_digit())?;
    let domain: u32 = read_number(&second[start..])?.try_into().ok()?;
    let known = domain < all_domains(config) && domain_word(config, domain) == &second[..start];
    let host = match label {
        None => HostId::APEX,
        Some(label) => read_label(label, is_farm(config, domain))?,
    };
    known.then_some(HostId { domain, host })
}

/// Whether a domain belongs to a farm of either kind.
pub(crate) fn is_farm(config: &WebConfig, domain: u32) -> bool {
    domain >= config.domains
}

/// Whether a domain was bought to be one of many.
pub(crate) fn is_ring(config: &WebConfig, domain: u32) -> bool {
    domain >= config.domains + config.farms.domains
}

/// Ordinary domains, those of farms and those of rings: in this order they are numbered.
pub(crate) fn all_domains(config: &WebConfig) -> u32 {
    config.domains + config.farms.domains + config.rings.domains
}

/// Appends a decimal number; much faster than the formatting machinery.
pub(crate) fn write_number(out: &mut String, mut number: u64) {
    let mut digits = [0_u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.push_str(std::str::from_utf8(&digits[at..]).expect("digits are ASCII"));
}

/// Reads what [`write_number`] writes and nothing else: no sign, no leading zero.
pub(crate) fn read_number(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

fn domain_word(config: &WebConfig, domain: u32) -> &'static str {
    let pick = hash(config.seed, Purpose::DomainWord, u64::from(domain), 0) as usize;
    if is_farm(config, domain) {
        FARM_WORDS[pick % FARM_WORDS.len()]
    } else {
        DOMAIN_WORDS[pick % DOMAIN_WORDS.len()]
    }
}

fn write_label(out: &mut String, letter: char, host: u32) {
    write!(out, "{letter}{host}.").expect("a string takes everything");
}

fn read_label(label: &str, farm: bool) -> Option<u32> {
    if !farm && let Some(host) = LABELS.iter().position(|known| *known == label) {
        return Some(host as u32);
    }
    let host: u32 = read_number(label.strip_prefix(if farm { 'x' } else { 's' })?)?.try_into().ok()?;
    (host != HostId::APEX && (farm || host as usize >= LABELS.len())).then_some(host)
}

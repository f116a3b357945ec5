//! The names that make no page: tracking and session parameters, as a data table.

use crate::limits::TOKEN_MIN_BYTES;

/// Names that only say where a visitor came from; lower case, sorted.
const TRACKING: &[&str] = &[
    "_branch_match_id",
    "_bta_c",
    "_bta_tid",
    "_ga",
    "_gac",
    "_gl",
    "_hsenc",
    "_hsmi",
    "_ke",
    "_kx",
    "_openstat",
    "_sm_au_",
    "action_object_map",
    "action_ref_map",
    "action_type_map",
    "aftr_source",
    "dclid",
    "dm_i",
    "ef_id",
    "epik",
    "ext_ref",
    "fb_action_ids",
    "fb_action_types",
    "fb_comment_id",
    "fb_ref",
    "fb_source",
    "fbclid",
    "ga_campaign",
    "ga_content",
    "ga_medium",
    "ga_place",
    "ga_source",
    "ga_term",
    "gad_campaignid",
    "gad_source",
    "gbraid",
    "gclid",
    "gclsrc",
    "gs_l",
    "gs_lcp",
    "hsa_acc",
    "hsa_ad",
    "hsa_cam",
    "hsa_grp",
    "hsa_kw",
    "hsa_mt",
    "hsa_net",
    "hsa_src",
    "hsa_tgt",
    "hsa_ver",
    "hsctatracking",
    "igsh",
    "igshid",
    "int_cmp",
    "irclickid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "mkwid",
    "ml_subscriber",
    "ml_subscriber_hash",
    "msclkid",
    "oft_c",
    "oft_ck",
    "oft_d",
    "oft_id",
    "oft_ids",
    "oft_k",
    "oft_lk",
    "oft_sub",
    "oly_anon_id",
    "oly_enc_id",
    "pcrid",
    "rb_clickid",
    "s_cid",
    "s_kwcid",
    "sc_cid",
    "sms_click",
    "sms_source",
    "sms_uph",
    "spm",
    "sr_share",
    "srsltid",
    "trk_contact",
    "trk_module",
    "trk_msg",
    "trk_sid",
    "ttclid",
    "twclid",
    "vero_conv",
    "vero_id",
    "wbraid",
    "wickedid",
    "wt_mc",
    "wt_zmc",
    "xtor",
    "yclid",
    "ymclid",
    "zanpid",
];

/// Such names that shops and job boards give to what they count: lower case, sorted. A number there may choose the page.
const TRACKING_UNLESS_NUMBERS: &[&str] = &["cmpid", "icid", "ncid", "scid"];

/// Families of such names.
const TRACKING_PREFIXES: &[&str] = &[
    "utm_",
    "mtm_",
    "matomo_",
    "pk_campaign",
    "pk_keyword",
    "pk_kwd",
    "pk_source",
    "pk_medium",
    "pk_content",
    "piwik_",
    "at_campaign",
    "at_medium",
    "at_custom",
    "__hs",
    "stm_",
    "itm_",
    "fb_action",
];

/// Names that carry a visitor's session and nothing else; lower case, sorted.
const SESSION: &[&str] = &[
    "asp.net_sessionid",
    "cfid",
    "cftoken",
    "jservsessionid",
    "jsessionid",
    "jwsessionid",
    "nsessionid",
    "oscsid",
    "phpsessid",
    "phpsessionid",
    "sessionkey",
    "xtcsid",
    "zenid",
];

/// Families of such names.
const SESSION_PREFIXES: &[&str] = &["aspsessionid"];

/// Names that carry a session on some sites and a subject on others; lower case, sorted.
const AMBIGUOUS: &[&str] = &[
    "cvid",
    "partnerid",
    "ref",
    "referer",
    "referrer",
    "s",
    "sess",
    "sessid",
    "session",
    "session_id",
    "sessionid",
    "sid",
    "source",
];

/// What a query parameter is to identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It may choose the page.
    Content,
    /// It says where the visitor came from.
    Tracking,
    /// It says who the visitor is.
    Session,
}

/// Judges one parameter, names compared without case.
pub(crate) fn kind_of(name: &str, value: &str) -> Kind {
    if !MAY_MATTER.has(name.as_bytes()) {
        return Kind::Content;
    }
    let mut buffer = [0; LONGEST_NAME];
    let Some(name) = lower_case(name, &mut buffer) else { return Kind::Content };
    if is_named(name, TRACKING, TRACKING_PREFIXES)
        || (is_named(name, TRACKING_UNLESS_NUMBERS, &[]) && !is_number(value))
    {
        Kind::Tracking
    } else if is_named(name, SESSION, SESSION_PREFIXES)
        || (is_named(name, AMBIGUOUS, &[]) && looks_like_a_token(value))
    {
        Kind::Session
    } else {
        Kind::Content
    }
}

fn is_number(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// How the names begin that matter, as a set of which a few others are taken to be: most names need no look at the lists.
struct Beginnings([u64; 16]);

static MAY_MATTER: Beginnings = Beginnings([0; 16])
    .with(TRACKING)
    .with(TRACKING_UNLESS_NUMBERS)
    .with(TRACKING_PREFIXES)
    .with(SESSION)
    .with(SESSION_PREFIXES)
    .with(AMBIGUOUS);

impl Beginnings {
    const fn with(mut self, names: &[&str]) -> Self {
        let mut at = 0;
        while at < names.len() {
            let place = Self::place(names[at].as_bytes());
            self.0[place / 64] |= 1 << (place % 64);
            at += 1;
        }
        self
    }

    fn has(&self, name: &[u8]) -> bool {
        let place = Self::place(name);
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// By the first two letters in any case.
    const fn place(name: &[u8]) -> usize {
        match name {
            [first, second, ..] => ((*first & 0x1F) as usize) << 5 | (*second & 0x1F) as usize,
            [first] => ((*first & 0x1F) as usize) << 5,
            [] => 0,
        }
    }
}

/// No name that matters is longer.
const LONGEST_NAME: usize = 32;

fn lower_case<'a>(name: &str, buffer: &'a mut [u8; LONGEST_NAME]) -> Option<&'a [u8]> {
    let lower = buffer.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    Some(lower)
}

/// `;jsessionid=…` and its kin at the end of a path segment.
pub(crate) fn is_session_path_parameter(text: &str) -> bool {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    kind_of(name, value) == Kind::Session
}

/// ASP.NET's cookieless session, a whole path segment: `(S(lit3py55t21z5v55vlm25s55))`.
pub(crate) fn is_session_segment(segment: &str) -> bool {
    let inner = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(|inner| {
        let mut tickets = inner.split_inclusive(')');
        !inner.is_empty() && tickets.all(is_aspnet_ticket)
    })
}

fn is_aspnet_ticket(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 27
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b'('
        && bytes[26] == b')'
        && bytes[2..26].iter().all(u8::is_ascii_alphanumeric)
}

fn is_named(name: &[u8], exact: &[&str], prefixes: &[&str]) -> bool {
    exact.binary_search_by(|known| known.as_bytes().cmp(name)).is_ok()
        || prefixes.iter().any(|prefix| name.starts_with(prefix.as_bytes()))
}

/// Whether a machine made the value up: a UUID, a long hexadecimal number with letters, or letters and digits
/// in a long jumble.
pub(crate) fn looks_like_a_token(value: &str) -> bool {
    let bytes = value.as_bytes();
    if is_uuid(bytes) {
        return true;
    }
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    bytes.len() >= TOKEN_MIN_BYTES
        && digits > 0
        && digits < bytes.len()
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && (bytes.iter().all(u8::is_ascii_hexdigit) || jumps(bytes) >= 3)
}

/// How often letters and digits take turns.
fn jumps(bytes: &[u8]) -> usize {
    bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count()
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests;

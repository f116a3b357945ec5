use weburl::{Url, pld, registrable_domain};

/// A host in its parts; an address has none.
#[derive(Default)]
pub(super) struct HostParts<'a> {
    /// Labels from the last on.
    pub(super) labels: Vec<&'a str>,
    /// By the public suffix list's ICANN section: what registries sell below, and what was bought.
    pub(super) registry_suffix: Option<&'a str>,
    pub(super) registered_domain: Option<&'a str>,
    /// By the whole list.
    pub(super) private_suffix: Option<&'a str>,
    pub(super) private_domain: Option<&'a str>,
    pub(super) reversed: Option<String>,
}

impl<'a> HostParts<'a> {
    pub(super) fn of(url: &'a Url) -> Self {
        let host = url.host();
        if url.ip_literal().is_some() {
            return Self::default();
        }
        let labels: Vec<&str> = host.split('.').rev().collect();
        let private_domain = registrable_domain(host);
        let bought = Some(pld(host)).filter(|domain| domain.contains('.'));
        Self {
            registry_suffix: bought.and_then(suffix),
            registered_domain: bought,
            private_suffix: private_domain.and_then(suffix),
            private_domain,
            reversed: Some(labels.join(".")),
            labels,
        }
    }
}

fn suffix(domain: &str) -> Option<&str> {
    domain.split_once('.').map(|(_, suffix)| suffix)
}

use weburl::{Url, pld, registrable_domain, without_root_dot};

/// A host in its parts; an address has none.
#[derive(Default)]
pub(super) struct HostParts<'a> {
    /// Labels from the last on.
    pub(super) labels: Vec<&'a str>,
    /// By the public suffix list's ICANN section: what registries sell below, and what was bought, which a suffix itself was not.
    pub(super) registry_suffix: Option<&'a str>,
    pub(super) registered_domain: Option<&'a str>,
    /// By the whole list.
    pub(super) private_suffix: Option<&'a str>,
    pub(super) private_domain: Option<&'a str>,
    pub(super) reversed: Option<String>,
}

impl<'a> HostParts<'a> {
    pub(super) fn of(url: &'a Url) -> Self {
        if url.ip_literal().is_some() {
            return Self::default();
        }
        let name = without_root_dot(url.host());
        let labels: Vec<&str> = name.split('.').rev().collect();
        let is_torn = labels.contains(&"");
        let parts = Self { reversed: Some(labels.join(".")), labels, ..Self::default() };
        if is_torn { parts } else { parts.with_domains_of(name) }
    }

    fn with_domains_of(self, name: &'a str) -> Self {
        let private_domain = registrable_domain(name);
        let registered_domain = (!is_registry_suffix(name)).then(|| pld(name));
        Self {
            registry_suffix: Some(registered_domain.map_or(name, suffix)),
            registered_domain,
            private_suffix: Some(private_domain.map_or(name, suffix)),
            private_domain,
            ..self
        }
    }
}

/// Whether registries sell right below a name. Of a private suffix they do not: it was bought itself.
fn is_registry_suffix(name: &str) -> bool {
    let below = format!("x.{name}");
    registrable_domain(name).is_none() && pld(&below) == below
}

fn suffix(domain: &str) -> &str {
    domain.split_once('.').map_or(domain, |(_, suffix)| suffix)
}

/// A host without the trailing dot of the DNS root: `example.com.` is `example.com`. What ends in several dots, or
/// is nothing but a dot, is no name and stays as it is, so that a host is the same however often it is read.
pub fn without_root_dot(host: &str) -> &str {
    match host.strip_suffix('.') {
        Some(name) if !name.is_empty() && !name.ends_with('.') => name,
        _ => host,
    }
}

/// A URL with the password in it masked, if it has one: `http://me:***@192.0.2.1:3128`.
pub(super) fn masked(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let (credentials, place) = rest.rsplit_once('@')?;
    let (user, _) = credentials.split_once(':')?;
    Some(format!("{scheme}://{user}:***@{place}"))
}

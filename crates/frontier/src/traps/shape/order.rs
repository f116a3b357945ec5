use crate::traps::form::Form;
use crate::traps::{Penalty, Suspicion, TrapReason};

/// A server's listing of a directory that links to itself in each order of each column, `?C=N;O=D`: Apache's (`mod_autoindex`, "Query Arguments")
/// and, with `&`, those that took after it. What it lists, the directory without a query lists as well.
pub(super) fn judge(form: Form<'_>) -> Option<Suspicion> {
    let sorts = matches!(
        form.query.as_bytes(),
        [b'C', b'=', b'N' | b'M' | b'S' | b'D', b';' | b'&', b'O', b'=', b'A' | b'D']
    );
    let is_one = sorts && form.path.ends_with('/');
    is_one.then_some(Suspicion { penalty: Penalty::queues(1), reason: TrapReason::Order })
}

use super::glance::Glance;
use crate::traps::form::Form;
use crate::traps::limits::{PARAMETERS_COMPARED, PARAMETERS_FREE, SAME_PARAMETER_FREE};
use crate::traps::{Penalty, Suspicion, TrapReason};

/// Filters on filters: more parameters than a form has, or one of them again and again (`f[0]=…&f[1]=…`).
pub(super) fn judge(form: Form<'_>, glance: Glance) -> Option<Suspicion> {
    let fewest = SAME_PARAMETER_FREE.min(PARAMETERS_FREE) as usize;
    if glance.parameters <= fewest {
        return None;
    }
    let mut names: Vec<&str> = form.parameters().take(PARAMETERS_COMPARED).map(name).collect();
    let all = form.parameters().count() as u32;
    names.sort_unstable();
    let same = names.chunk_by(|a, b| a == b).map(<[&str]>::len).max().unwrap_or(0) as u32;
    let many = Penalty::beyond(PARAMETERS_FREE, all);
    let again = Penalty::beyond(SAME_PARAMETER_FREE, same);
    Suspicion::worst(
        Suspicion::unless_none(many, TrapReason::Parameters(all as u16)),
        Suspicion::unless_none(again, TrapReason::SameParameter(same as u16)),
    )
}

/// Without value, and without the index of a list.
fn name(parameter: &str) -> &str {
    let name = parameter.split('=').next().unwrap_or("");
    let list = name.find('[').or_else(|| name.find("%5B")).or_else(|| name.find("%5b"));
    &name[..list.unwrap_or(name.len())]
}

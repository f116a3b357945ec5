use crate::limits::USAGE_BYTES;

/// A rule of which a host is granted few.
pub(crate) trait Bounded: Sized {
    /// Bytes of its texts.
    fn bytes(&self) -> usize;

    /// One rule that refuses of the whole host what any of these refuses anywhere; none if they refuse nothing.
    fn folded(rules: &[Self]) -> Option<Self>;
}

/// The rules, if there are no more than `most` and their texts are short enough. Else one in their place: to leave some out would
/// free what they reserve, since a rule that is kept may allow what one that is left out refuses.
pub(crate) fn bounded<T: Bounded>(rules: Vec<T>, most: usize) -> Vec<T> {
    let bytes: usize = rules.iter().map(T::bytes).sum();
    if rules.len() <= most && bytes <= USAGE_BYTES {
        return rules;
    }
    T::folded(&rules).into_iter().collect()
}

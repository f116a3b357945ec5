use super::{escaped_script_len, script_len};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_script_that_hides_nothing_ends_where_its_states_say(script in "(<!--|-->|<script>|</script>|</SCRIPT |</script|</|<!-|<|-|a){0,12}") {
        prop_assert_eq!(script_len(script.as_bytes()), escaped_script_len(script.as_bytes()));
    }
}

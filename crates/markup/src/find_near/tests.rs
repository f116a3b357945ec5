use super::find_near;
use proptest::prelude::*;

proptest! {
    #[test]
    fn it_finds_what_is_there(bytes in prop::collection::vec(prop_oneof![Just(b'"'), Just(b'!'), Just(b'#'), any::<u8>()], 0..80)) {
        prop_assert_eq!(find_near(b'"', &bytes), bytes.iter().position(|byte| *byte == b'"'));
    }
}

use super::NodeError;
use std::io::ErrorKind;

#[test]
fn a_quota_that_is_used_up_is_a_full_disk() {
    let is_full = |kind: ErrorKind| NodeError::system("writing crawl.log")(kind.into()).is_disk_full();
    assert!(is_full(ErrorKind::StorageFull) && is_full(ErrorKind::QuotaExceeded));
    assert!(!is_full(ErrorKind::PermissionDenied));
}

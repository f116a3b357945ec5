//! Disk repository with update management (IRLbot, section IV). Knows no URL.

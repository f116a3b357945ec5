//! Many crawlers in virtual time, fault plans, checkers.

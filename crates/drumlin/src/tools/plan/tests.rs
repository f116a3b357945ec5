use super::in_words;
use plan::{Inputs, Plan};

#[test]
fn a_plan_of_several_nodes_says_that_a_crawl_runs_on_one_machine() {
    for (days, is_too_much) in [(5.0, true), (5_000.0, false)] {
        let plan = Plan::of(&Inputs { pages: 10e9, days, ..Inputs::default() }).expect("a plan");
        let (words, table) = (in_words(&plan), plan.to_string());
        assert_eq!(plan.nodes > 1, is_too_much, "{words}");
        assert_eq!(words != table, is_too_much, "{words}");
        assert_eq!(words.contains(&format!("into {} crawls", plan.nodes)), is_too_much, "{words}");
    }
}

use super::{Cluster, State};
use crate::checks::obeyed;
use crate::{Operator, Said};
use stdx::Timestamp;

/// What nodes are told, each by somebody of its own.
impl Cluster<'_> {
    /// From now on somebody speaks to each node, for so long.
    #[must_use]
    pub fn spoken_to(mut self, seed: u64, ms: u64) -> Self {
        self.hushed_at = self.now + ms;
        for node in &mut self.nodes {
            node.operator = Some(Operator::new(seed.rotate_left(u32::from(node.id.0))));
        }
        self
    }

    /// All that was said to nodes.
    pub fn said(&self) -> impl Iterator<Item = &Said> {
        self.nodes.iter().filter_map(|node| node.operator.as_ref()).flat_map(|operator| &operator.said)
    }

    /// When something is said next.
    pub(super) fn next_word(&mut self) -> Option<Timestamp> {
        let (now, hushed_at) = (self.now, self.hushed_at);
        let operators = self.nodes.iter_mut().filter(|node| matches!(node.state, State::Up(_)));
        let words = operators.filter_map(|node| Some(node.operator.as_mut()?.next_at(now).min(hushed_at)));
        words.min().filter(|_| now < hushed_at)
    }

    /// What is due is said to a node. At the end all that restrains it is taken back.
    pub(super) fn speak(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        let (State::Up(up), Some(operator)) = (&mut node.state, &mut node.operator) else { return };
        if self.now > self.hushed_at || !operator.is_due(self.now) && self.now != self.hushed_at {
            return;
        }
        operator.listen(&mut up.sim);
        if self.now == self.hushed_at {
            return operator.relent(&mut up.sim);
        }
        let contacts = self.network.log.contacts.iter();
        let hosts: Vec<&str> = contacts.map(|contact| contact.host.as_str()).collect();
        let seeds: Vec<String> = self.site.seeds.iter().map(ToString::to_string).collect();
        operator.speak(&mut up.sim, &hosts, &seeds);
    }

    /// A run begins. Whoever dies after all has been said may have forgotten the last of it.
    pub(super) fn greet(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        let (State::Up(up), Some(operator)) = (&mut node.state, &mut node.operator) else { return };
        operator.begin();
        if self.now >= self.hushed_at {
            operator.relent(&mut up.sim);
        }
    }

    /// Whether all nodes did what they were told.
    pub(super) fn judge_obedience(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        for node in &self.nodes {
            let Some(operator) = &node.operator else { continue };
            wrong.extend(obeyed(&operator.said, &self.network.log.of_node(node.id.0)));
            wrong.extend(operator.forgotten.iter().map(|target| format!("no more withheld: {target}")));
        }
        wrong
    }
}

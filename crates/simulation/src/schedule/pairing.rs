use crate::random::Stream;

/// A draw of opponents in which teams meet about equally often and play at home half the time.
pub(super) struct Pairing<'s> {
    teams: usize,
    met: Vec<u8>,
    at_home: Vec<i32>,
    stream: &'s mut Stream,
}

/// The number of candidates among which the least frequent opponent is chosen.
const CANDIDATES: usize = 9;

impl<'s> Pairing<'s> {
    pub(super) fn random(teams: usize, stream: &'s mut Stream) -> Self {
        Self { teams, met: vec![0; teams * teams], at_home: vec![0; teams], stream }
    }

    /// Pairs every team that is not resting once, as away and home team.
    pub(super) fn round(&mut self, resting: &[usize]) -> Vec<(usize, usize)> {
        let mut left: Vec<_> = (0..self.teams).filter(|team| !resting.contains(team)).collect();
        self.stream.shuffle(&mut left);
        let mut round = Vec::with_capacity(left.len() / 2);
        while let Some(team) = left.pop() {
            let near = left.len().saturating_sub(CANDIDATES);
            let least = (near..left.len()).min_by_key(|place| self.met[team * self.teams + left[*place]]);
            let Some(opponent) = least.map(|place| left.swap_remove(place)) else { break };
            round.push(self.meet(team, opponent));
        }
        round
    }

    fn meet(&mut self, one: usize, other: usize) -> (usize, usize) {
        self.met[one * self.teams + other] += 1;
        self.met[other * self.teams + one] += 1;
        let owed = self.at_home[one] - self.at_home[other];
        let other_is_home = owed > 0 || owed == 0 && self.stream.happens(0.5);
        let (away, home) = if other_is_home { (one, other) } else { (other, one) };
        self.at_home[home] += 1;
        self.at_home[away] -= 1;
        (away, home)
    }

    pub(super) const fn stream(&mut self) -> &mut Stream {
        self.stream
    }
}

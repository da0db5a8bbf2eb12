//! Codes whose words take fractions of bits: finite state entropy, as Zstandard has it.

use crate::bits::BitWriter;

/// A code.
pub struct StateCode {
    /// The number of states is two to this.
    log: u32,
    /// How many states each symbol has.
    shares: Vec<u32>,
    /// The states that follow, by symbol.
    next: Vec<u32>,
    symbols: Vec<Transform>,
}

#[derive(Clone, Copy, Default)]
struct Transform {
    bits: u32,
    offset: i32,
}

/// What a writer of symbols, the last of a text first, knows of those before.
#[derive(Clone, Copy)]
pub struct State(u32);

impl StateCode {
    /// A code with `1 << log` states for symbols that are as frequent as `counts` says; each symbol has a state.
    pub fn new(counts: &[u64], log: u32) -> Self {
        let shares = shares(counts, 1 << log);
        let size = 1_u32 << log;
        let mut spread = vec![0; size as usize];
        let mut place = 0;
        for (symbol, share) in shares.iter().enumerate() {
            for _ in 0..*share {
                spread[place as usize] = symbol;
                place = (place + (size >> 1) + (size >> 3) + 3) & (size - 1);
            }
        }
        let mut firsts: Vec<_> = shares
            .iter()
            .scan(0, |total, share| {
                *total += share;
                Some(*total - share)
            })
            .collect();
        let mut symbols = Vec::new();
        for (share, first) in shares.iter().zip(&firsts) {
            let longest = if *share == 1 { log } else { log - (share - 1).ilog2() };
            let bits = (longest << 16) - (share << longest);
            symbols.push(Transform { bits, offset: first.cast_signed() - share.cast_signed() });
        }
        let mut next = vec![0; size as usize];
        for (state, symbol) in (size..).zip(spread) {
            next[firsts[symbol] as usize] = state;
            firsts[symbol] += 1;
        }
        Self { log, shares, next, symbols }
    }

    /// Begins with the last symbol.
    pub fn last(&self, symbol: usize) -> State {
        let Transform { bits, offset } = self.symbols[symbol];
        let count = (bits + (1 << 15)) >> 16;
        State(self.following((((count << 16) - bits) >> count).cast_signed() + offset))
    }

    /// Writes the symbol before those that were written.
    pub fn before(&self, symbol: usize, state: &mut State, out: &mut BitWriter) {
        let Transform { bits, offset } = self.symbols[symbol];
        let count = (state.0 + bits) >> 16;
        out.put(state.0 & ((1 << count) - 1), count);
        state.0 = self.following((state.0 >> count).cast_signed() + offset);
    }

    /// Ends with what the first symbol leaves.
    pub fn first(&self, state: State, out: &mut BitWriter) {
        out.put(state.0 & ((1 << self.log) - 1), self.log);
    }

    fn following(&self, place: i32) -> u32 {
        usize::try_from(place).map_or(0, |place| self.next[place])
    }

    /// Writes the code itself.
    pub fn write(&self, out: &mut BitWriter) {
        out.put(self.log - 5, 4);
        let mut threshold = 1_u32 << self.log;
        let (mut remaining, mut bits) = (threshold + 1, self.log + 1);
        for share in &self.shares {
            let most = 2 * threshold - 1 - remaining;
            remaining -= share;
            let value = share + 1;
            let value = if value >= threshold { value + most } else { value };
            out.put(value, if value < most { bits - 1 } else { bits });
            while remaining < threshold && threshold > 1 {
                threshold >>= 1;
                bits -= 1;
            }
        }
    }
}

/// Shares of `size` states, each at least one.
fn shares(counts: &[u64], size: u32) -> Vec<u32> {
    let total: u64 = counts.iter().sum();
    let free = u64::from(size) - counts.len() as u64;
    let share = |count: &u64| 1 + u32::try_from(count * free / total).unwrap_or(0);
    let mut shares: Vec<_> = counts.iter().map(share).collect();
    let left = size - shares.iter().sum::<u32>();
    if let Some(largest) = shares.iter_mut().max() {
        *largest += left;
    }
    shares
}

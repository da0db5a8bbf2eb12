use sports_calibration::SplitMix64;

/// A reproducible stream of random numbers.
///
/// A seed must produce the same files forever. Each stream is keyed by its purpose, so that an additional draw in one place does
/// not change another.
#[derive(Debug, Clone)]
pub(crate) struct Stream(SplitMix64);

/// The purpose of a stream, which is part of its key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose {
    Strength,
    Schedule,
    Contest,
    Oddity,
    Quote,
    Forecast,
    Holding,
    OwnForecast,
}

/// The factor by which the parts of a key are spread over 64 bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Stream {
    /// Creates the stream of a key.
    pub(crate) fn for_purpose(seed: u64, purpose: Purpose, parts: &[u64]) -> Self {
        let mut stream = Self(SplitMix64::from_seed(seed));
        for part in [purpose as u64].iter().chain(parts) {
            stream.0 = SplitMix64::from_seed(stream.next() ^ part.wrapping_mul(SPREAD));
        }
        stream
    }

    /// Draws 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0.bits()
    }

    /// Draws a number from 0 up to but not including 1.
    pub(crate) fn unit(&mut self) -> f64 {
        f64::from((self.next() >> 32) as u32) / 4_294_967_296.0
    }

    /// Draws a bool that is true with this probability.
    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Draws a bell-shaped number with mean 0 and standard deviation 1: the sum of twelve uniform draws. It needs no
    /// logarithm, which platforms round differently, and never exceeds 6 in size.
    pub(crate) fn bell(&mut self) -> f64 {
        let sixteenths = |word: u64| (0..4).map(move |part| (word >> (16 * part)) & 0xffff);
        let sum: u64 = (0..3).map(|_| sixteenths(self.next()).sum::<u64>()).sum();
        (f64::from((sum & 0xffff_ffff) as u32) + 6.0) / 65_536.0 - 6.0
    }

    /// Draws an index below `count`; 0 if `count` is 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let scaled = (self.next() >> 32) * (count as u64 & 0xffff_ffff);
        usize::try_from(scaled >> 32).unwrap_or(0)
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_algorithm() {
        // The first five numbers of the reference implementation for seed 1234567.
        let mut stream = Stream(SplitMix64::from_seed(1_234_567));
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!([(); 5].map(|()| stream.next()), expected);
    }

    #[test]
    fn the_key_of_a_stream_determines_its_numbers() {
        let first = |purpose, parts: &[u64]| Stream::for_purpose(7, purpose, parts).next();
        assert_eq!(first(Purpose::Quote, &[1, 2]), first(Purpose::Quote, &[1, 2]));
        assert_ne!(first(Purpose::Quote, &[1, 2]), first(Purpose::Quote, &[2, 1]));
        assert_ne!(first(Purpose::Quote, &[1, 2]), first(Purpose::Contest, &[1, 2]));
    }

    #[test]
    fn a_bell_has_mean_zero_and_deviation_one() {
        let mut stream = Stream(SplitMix64::from_seed(3));
        let draws: Vec<f64> = (0..20_000).map(|_| stream.bell()).collect();
        let mean = draws.iter().sum::<f64>() / 20_000.0;
        let variance = draws.iter().map(|draw| draw * draw).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }

    #[test]
    fn a_shuffle_keeps_every_member() {
        let mut list: Vec<_> = (0..50).collect();
        Stream(SplitMix64::from_seed(1)).shuffle(&mut list);
        assert!(!list.is_sorted());
        list.sort_unstable();
        assert_eq!(list, (0..50).collect::<Vec<_>>());
    }
}

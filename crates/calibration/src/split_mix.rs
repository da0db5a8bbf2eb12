/// The generator `SplitMix64` of Steele, Lea and Flood (2014): small, fast, and the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Returns the generator with this state.
    pub const fn from_seed(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a generator seeded by names in their order: the seed is the 64-bit FNV-1a hash of each name's UTF-8
    /// bytes, each name followed by the byte 255, which UTF-8 never contains.
    pub fn from_names(names: &[&str]) -> Self {
        let bytes = names.iter().flat_map(|name| name.bytes().chain([u8::MAX]));
        Self(fnv_1a(bytes))
    }

    /// Returns the next 64 bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to `count - 1`, uniform to within `count` / 2⁶⁴; 0 if `count` is 0.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        let scaled = u128::from(self.bits()) * count as u128;
        // The result is below `count`, so it fits.
        usize::try_from(scaled >> 64).unwrap_or_default()
    }
}

fn fnv_1a(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published numbers of other implementations for this seed.
    #[test]
    fn the_generator_returns_the_published_numbers() {
        let mut generator = SplitMix64::from_seed(1_234_567);
        let numbers = [(); 5].map(|()| generator.bits());
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, published);
    }

    /// Published test vectors of the hash.
    #[test]
    fn names_are_hashed_by_fnv_1a() {
        for (text, hash) in
            [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
        {
            assert_eq!(fnv_1a(text.bytes()), hash, "{text}");
        }
        assert_eq!(SplitMix64::from_names(&["a"]), SplitMix64::from_seed(fnv_1a([b'a', 255].into_iter())));
    }

    #[test]
    fn names_that_are_divided_differently_have_different_seeds() {
        let seeds = [&["ab", "c"][..], &["a", "bc"], &["abc"], &["abc", ""], &["c", "ab"], &[]];
        for (place, names) in seeds.iter().enumerate() {
            for others in &seeds[..place] {
                assert_ne!(SplitMix64::from_names(names), SplitMix64::from_names(others), "{names:?} {others:?}");
            }
        }
    }

    #[test]
    fn numbers_are_below_their_count_and_about_equally_frequent() {
        let mut generator = SplitMix64::from_seed(7);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[generator.below(6)] += 1;
        }
        // The standard deviation of each count is 91.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 550), "{counts:?}");
        assert_eq!((generator.below(1), generator.below(0)), (0, 0));
    }
}

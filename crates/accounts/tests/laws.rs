//! Properties of every key, made from any bytes, and of every sequence of calls.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::time::Duration;

use proptest::prelude::*;
use sports_accounts::{ApiKey, CustomerId, KeyDigest, KeySelector, MaskedKey, SlidingSecond, hide_keys};

const ALPHABET: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_*- é";

fn any_key() -> impl Strategy<Value = ApiKey> {
    any::<[u8; 32]>().prop_map(ApiKey::from_random)
}

fn any_symbol() -> impl Strategy<Value = char> {
    proptest::sample::select(ALPHABET.chars().collect::<Vec<_>>())
}

proptest! {
    /// Every generated key is parsed back.
    #[test]
    fn a_key_reads_back_as_itself(key in any_key()) {
        let read = ApiKey::parse(key.reveal()).expect("a key");
        prop_assert_eq!(read.reveal(), key.reveal());
        prop_assert_eq!(read.digest(), key.digest());
        prop_assert_eq!(key.reveal().len(), ApiKey::LENGTH);
        prop_assert!(ApiKey::looks_like_a_key(key.reveal()));
    }

    /// Any single wrong character is detected.
    #[test]
    fn a_single_wrong_character_is_refused(key in any_key(), place in 0..ApiKey::LENGTH, wrong in any_symbol()) {
        let mut typed: Vec<char> = key.reveal().chars().collect();
        prop_assume!(typed[place] != wrong);
        typed[place] = wrong;
        let typed: String = typed.into_iter().collect();
        prop_assert!(ApiKey::parse(&typed).is_err());
        prop_assert!(typed.parse::<KeySelector>().is_err());
    }

    /// Any swap of two neighbours in the body is detected.
    #[test]
    fn swapped_neighbours_in_the_body_are_refused(key in any_key(), place in 0..42_usize) {
        let mut typed = key.reveal().as_bytes().to_vec();
        let place = ApiKey::PREFIX.len() + place;
        prop_assume!(typed[place] != typed[place + 1]);
        typed.swap(place, place + 1);
        let typed = String::from_utf8(typed).expect("letters and digits");
        prop_assert!(ApiKey::parse(&typed).is_err());
    }

    /// A lost or doubled character is detected.
    #[test]
    fn a_lost_or_doubled_character_is_refused(key in any_key(), place in 0..ApiKey::LENGTH) {
        let (before, after) = key.reveal().split_at(place);
        let (lost, doubled) = (format!("{before}{}", &after[1..]), format!("{before}{}{after}", &after[..1]));
        prop_assert!(ApiKey::parse(&lost).is_err());
        prop_assert!(ApiKey::parse(&doubled).is_err());
    }

    /// The mask has the first four characters of the body, and is parsed back.
    #[test]
    fn a_mask_matches_its_key(key in any_key()) {
        let mask = key.masked().to_string();
        let shown = mask.strip_suffix("*****").expect("five asterisks");
        prop_assert_eq!(shown.len(), ApiKey::PREFIX.len() + MaskedKey::SHOWN);
        prop_assert!(key.reveal().starts_with(shown));
        prop_assert_eq!(mask.parse(), Ok(key.masked()));
        prop_assert_eq!(mask.parse(), Ok(KeySelector::Masked(key.masked())));
    }

    /// Different bytes make different keys with different digests.
    #[test]
    fn different_keys_have_different_digests(one in any::<[u8; 32]>(), other in any::<[u8; 32]>()) {
        let (first, second) = (ApiKey::from_random(one), ApiKey::from_random(other));
        prop_assert_eq!(one == other, first.reveal() == second.reveal());
        prop_assert_eq!(one == other, first.digest() == second.digest());
    }

    /// The debug output has no character that the mask hides.
    #[test]
    fn debug_output_is_the_mask(key in any_key()) {
        prop_assert_eq!(format!("{key:?}"), format!("ApiKey({})", key.masked()));
    }

    /// A digest is parsed back from its text.
    #[test]
    fn a_digest_reads_back_as_itself(bytes in any::<[u8; 32]>()) {
        let digest = KeyDigest::from_bytes(bytes);
        prop_assert_eq!(digest.to_string().parse(), Ok(digest));
        prop_assert_eq!(digest.as_bytes(), &bytes);
    }

    /// A customer id is parsed back from its text, and different ids have different texts.
    #[test]
    fn a_customer_id_reads_back_as_itself(random in any::<[u8; 10]>()) {
        let id = CustomerId::from_random(random);
        prop_assert_eq!(id.to_string().parse(), Ok(id));
        prop_assert_eq!(id.to_string().len(), 20);
    }

    /// Any text is parsed or refused, without a panic.
    #[test]
    fn any_text_is_parsed_or_refused(text in ".*", tail in ".{0,60}") {
        for text in [text, format!("{}{tail}", ApiKey::PREFIX)] {
            let read = ApiKey::parse(&text);
            prop_assert!(read.is_err() || read.is_ok_and(|key| key.reveal() == text));
            let read = text.parse::<KeySelector>();
            prop_assert!(read.is_err() || text.starts_with(ApiKey::PREFIX));
        }
    }

    /// A masked text contains no key.
    #[test]
    fn a_masked_text_holds_no_key(key in any_key(), before in ".{0,20}", after in ".{0,20}") {
        let masked = hide_keys(&format!("{before}{}{after}", key.reveal())).into_owned();
        prop_assert!(!masked.contains(&key.reveal()[ApiKey::PREFIX.len() + MaskedKey::SHOWN..]), "{}", masked);
        prop_assert_eq!(hide_keys(&masked).into_owned(), masked.clone(), "masking twice changes nothing");
    }

    /// A call is admitted if and only if fewer calls than the limit were admitted in the second before it.
    #[test]
    fn the_sliding_second_agrees_with_a_list_of_admissions(
        limit in 1..8_u32,
        pauses in proptest::collection::vec(prop_oneof![Just(0), 1..400_000_u64, Just(999_999), Just(1_000_000)], 0..120),
    ) {
        let window = SlidingSecond::new(NonZeroU32::new(limit).expect("above zero"));
        let (mut now, mut admitted) = (0_u64, VecDeque::new());
        for pause in pauses {
            now += pause;
            admitted.retain(|at| now - at < 1_000_000);
            let expected = admitted.len() < limit as usize;
            let instant = Duration::from_micros(now);
            prop_assert_eq!(window.is_idle(instant), admitted.is_empty());
            prop_assert_eq!(window.admit(instant).is_some(), expected, "at {} µs", now);
            if expected {
                admitted.push_back(now);
            }
        }
    }
}

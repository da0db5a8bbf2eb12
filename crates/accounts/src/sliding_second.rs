use std::num::NonZeroU32;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// An exact limit on admissions within any one second, for any number of threads.
///
/// The window has one slot for each admission that a second may hold. A slot stores the time at which it was last
/// taken, in microseconds, and is free again a second later. So no second has more admissions than there are slots,
/// and a call is refused only if every slot was taken within the second before. Slots are usually taken in turn, so
/// the first slot that is tried is the oldest.
///
/// Times must come from a monotonic clock, such as the time since the process started: a date that is set back would
/// refuse every call until the clock has caught up.
#[derive(Debug)]
pub struct SlidingSecond {
    taken_at: Box<[AtomicI64]>,
    oldest: AtomicUsize,
}

/// A slot that was taken, and its previous value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenSlot {
    index: usize,
    before: i64,
    taken_at: i64,
}

/// A time before every time that matters.
const NEVER: i64 = i64::MIN / 2;

impl SlidingSecond {
    const MICROSECONDS: i64 = 1_000_000;

    /// Creates a window without admissions.
    pub fn new(per_second: NonZeroU32) -> Self {
        let slots = usize::try_from(per_second.get()).unwrap_or(usize::MAX);
        Self { taken_at: (0..slots).map(|_| AtomicI64::new(NEVER)).collect(), oldest: AtomicUsize::new(0) }
    }

    /// Admits a call at `now`. Returns `None`, and changes nothing, if the limit is reached.
    pub fn admit(&self, now: Duration) -> Option<TakenSlot> {
        let now = microseconds(now);
        let first = self.oldest.load(Relaxed);
        // A slot lost to a faster thread stays taken for this `now`, so one round tries all.
        self.slots_from(first).find_map(|index| self.take(index, now))
    }

    /// Undoes an admission.
    pub fn release(&self, place: TakenSlot) {
        let slot = &self.taken_at[place.index];
        // If the slot was taken again, a second has passed and there is nothing to undo.
        let _ = slot.compare_exchange(place.taken_at, place.before, Relaxed, Relaxed);
        self.oldest.store(place.index, Relaxed);
    }

    /// Returns `true` if no call was admitted within the second before `now`, so that the window can be discarded.
    pub fn is_idle(&self, now: Duration) -> bool {
        let now = microseconds(now);
        (0..self.taken_at.len()).all(|index| self.value_if_free(index, now).is_some())
    }

    fn slots_from(&self, first: usize) -> impl Iterator<Item = usize> + use<> {
        let slots = self.taken_at.len();
        (first..first + slots).map(move |index| index % slots)
    }

    /// Returns the value of a slot if it is free at `now`.
    fn value_if_free(&self, index: usize, now: i64) -> Option<i64> {
        let held = self.taken_at[index].load(Relaxed);
        (held <= now - Self::MICROSECONDS).then_some(held)
    }

    fn take(&self, index: usize, now: i64) -> Option<TakenSlot> {
        let before = self.value_if_free(index, now)?;
        self.taken_at[index].compare_exchange(before, now, Relaxed, Relaxed).ok()?;
        self.oldest.store(index + 1, Relaxed);
        Some(TakenSlot { index, before, taken_at: now })
    }
}

fn microseconds(moment: Duration) -> i64 {
    i64::try_from(moment.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(per_second: u32) -> SlidingSecond {
        SlidingSecond::new(NonZeroU32::new(per_second).expect("above zero"))
    }

    fn after(micros: u64) -> Duration {
        Duration::from_micros(micros)
    }

    #[test]
    fn the_fifty_first_within_a_second_is_refused_and_admitted_a_second_after_the_first() {
        let window = window(50);
        for millis in 0..50 {
            assert!(window.admit(after(millis * 10_000)).is_some(), "call {millis}");
        }
        assert_eq!(window.admit(after(500_000)), None);
        assert_eq!(window.admit(after(999_999)), None);
        assert!(window.admit(after(1_000_000)).is_some(), "the first has left the window");
        assert_eq!(window.admit(after(1_000_001)), None, "and one place was free");
        assert!(window.admit(after(1_010_000)).is_some());
    }

    /// A counter that restarts with each second would admit the limit late in one second and again early in the next.
    #[test]
    fn the_limit_holds_across_the_turn_of_a_second() {
        let window = window(10);
        let admitted = |from: u64| (0..10).filter(|call| window.admit(after(from + call)).is_some()).count();
        assert_eq!(admitted(900_000), 10);
        assert_eq!(admitted(1_000_000), 0);
        assert_eq!(admitted(1_900_000), 10);
    }

    #[test]
    fn a_refusal_is_not_counted_against_the_limit() {
        let window = window(1);
        assert!(window.admit(after(0)).is_some());
        for micros in [1, 500_000, 999_999] {
            assert_eq!(window.admit(after(micros)), None);
        }
        assert!(window.admit(after(1_000_000)).is_some());
    }

    #[test]
    fn slots_are_taken_in_turn() {
        let window = window(3);
        let place = |seconds| window.admit(Duration::from_secs(seconds)).map(|place| place.index);
        // All are free each time: the first that is tried is the slot taken longest ago.
        assert_eq!([0, 2, 4, 6, 8].map(place), [Some(0), Some(1), Some(2), Some(0), Some(1)]);
    }

    #[test]
    fn a_released_slot_is_free_again() {
        let window = window(2);
        assert!(window.admit(after(0)).is_some());
        let place = window.admit(after(1)).expect("free");
        assert_eq!(window.admit(after(2)), None);
        window.release(place);
        assert!(window.admit(after(2)).is_some());
        assert_eq!(window.admit(after(3)), None);
        window.release(place);
        assert_eq!(window.admit(after(3)), None, "a slot taken since is not released");
    }

    #[test]
    fn a_window_is_idle_a_second_after_its_last_admission() {
        let window = window(3);
        assert!(window.is_idle(after(0)));
        assert!(window.admit(after(0)).is_some());
        assert!(!window.is_idle(after(999_999)));
        assert!(window.is_idle(after(1_000_000)));
    }

    #[test]
    fn threads_that_race_in_one_instant_are_admitted_up_to_the_limit_exactly() {
        for _ in 0..200 {
            let window = window(50);
            let admitted: usize = std::thread::scope(|scope| {
                let racer = || (0..20).filter(|_| window.admit(after(0)).is_some()).count();
                let racers: Vec<_> = (0..8).map(|_| scope.spawn(racer)).collect();
                racers.into_iter().map(|racer| racer.join().expect("no panic")).sum()
            });
            assert_eq!(admitted, 50);
        }
    }
}

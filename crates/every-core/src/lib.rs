#![doc = include_str!("../README.md")]

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many threads there are at most: each piece of work keeps what it works on in memory.
const MOST: usize = 4;

/// What `work` makes of each item, in the order of the items. A panic in it goes on in the caller.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(MOST).min(items.len());
    let next = AtomicUsize::new(0);
    // Pieces differ in size: whoever is done takes the next one.
    let take = || {
        let index = next.fetch_add(1, Ordering::Relaxed);
        items.get(index).map(|item| (index, work(item)))
    };
    let take_all = || std::iter::from_fn(take).collect::<Vec<_>>();
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take_all)).collect();
        let mut done = take_all();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_their_items() {
        let items: Vec<u64> = (0..1_000).collect();
        let squares = map(&items, |item| (0..item % 7 * 1_000).fold(item * item, |square, _| square));
        assert_eq!(squares, items.iter().map(|item| item * item).collect::<Vec<_>>());
        assert_eq!(map(&[], |item: &u64| *item), Vec::<u64>::new());
    }

    #[test]
    fn a_panic_of_one_piece_goes_on_in_the_caller() {
        let work = |item: &u64| assert!(*item < 99, "too large");
        let panic = std::panic::catch_unwind(|| map(&(0..100).collect::<Vec<_>>(), work)).expect_err("panicked");
        assert!(panic.downcast_ref::<&str>().is_some_and(|message| *message == "too large"));
    }
}

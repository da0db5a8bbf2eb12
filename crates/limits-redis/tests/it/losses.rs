use std::sync::Arc;
use std::time::Duration;

use sports_ports::metering::{Admission, CommittedCounts, Meter};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::contract::limits;
use sports_testkit::services::{Condition, Redis};
use tokio::time::{Instant, sleep};

use crate::machine::{Machine, eventually, on_record, record_whole};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_admitted_without_redis_are_added_when_it_is_back() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let first = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    let second = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    for _ in 0..3 {
        first.call(1).await;
        second.call(1).await;
    }
    first.cut(Condition::Refusing).await;
    second.call(1).await;
    assert_eq!(first.call(1).await.used, 6, "the last it knows of, and its own");
    let given_back = first.call(1).await;
    assert_eq!(first.meter.give_back(given_back).await.expect("answers"), 6);
    first.mend().await;
    assert_eq!(second.used(1).await, 8);
    assert_eq!(first.used(1).await, 8);
    first.commit().await;
    second.commit().await;
    assert_eq!((on_record(&record, 1).await, first.meter.pending()), (8, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_a_machine_limits_by_what_it_knows() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    record_whole(&record, 1, 6).await;
    record_whole(&record, 2, 6).await;
    let machine = Machine::start(redis.address(), &record, limits(8, 3)).await;
    assert_eq!(machine.call(1).await.used, 7);
    machine.cut(Condition::Refusing).await;
    assert_eq!(machine.call(1).await.used, 8);
    assert_eq!(machine.admit(1).await, Admission::MonthIsFull { used: 8 });
    assert_eq!(machine.call(2).await.used, 7, "of a customer that it did not meet before it knows the record");
    machine.used(2).await;
    machine.used(2).await;
    assert_eq!(machine.admit(2).await, Admission::SecondIsFull { used: 7 });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_starts_without_redis_from_what_is_on_record() {
    let Some(mut redis) = Redis::start().await else { return };
    redis.stop();
    let record = Arc::new(AccountsFake::new());
    record_whole(&record, 1, 41).await;
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    assert!(!machine.is_together().await);
    assert_eq!(machine.call(1).await.used, 42);
    redis.start_again().await;
    machine.becomes(true).await;
    assert_eq!(machine.call(1).await.used, 43);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emptied_redis_is_restored_from_the_record_and_from_every_machine() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    record_whole(&record, 1, 100).await;
    let first = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    let second = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    for _ in 0..4 {
        first.call(1).await;
        second.call(1).await;
    }
    second.commit().await;
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    assert_eq!(first.call(1).await.used, 109, "its own, and what is on record of the other");
    second.call(1).await;
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    // The other gets no call: it detects by itself what Redis lost, and what is not on record comes from its memory.
    eventually(async || first.used(1).await == 110).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_comes_back_with_old_counts_lowers_none() {
    let Some(mut redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    machine.call(1).await;
    redis.save();
    for _ in 0..5 {
        machine.call(1).await;
    }
    redis.start_again().await;
    assert_eq!(machine.call(1).await.used, 7);
    machine.becomes(true).await;
    assert_eq!(machine.call(1).await.used, 8);
    let next = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    assert_eq!(next.call(1).await.used, 9);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_runs_after_its_answer_was_given_up_counts_nothing_twice() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    machine.call(1).await;
    for expected in [5, 9] {
        // What is sent arrives later than the next session begins.
        machine.network.becomes(Condition::Slow(Duration::from_secs(3)));
        calls_at_once(&machine, 4).await;
        machine.mend().await;
        assert_eq!(machine.used(1).await, expected);
        sleep(Duration::from_millis(3_500)).await;
        assert_eq!(machine.used(1).await, expected);
    }
}

/// Redis counts the call late; the machine, which had no reply, has refused it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_refused_after_its_answer_was_given_up_is_not_counted() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let first = Machine::start(redis.address(), &record, limits(2, 1_000)).await;
    let second = Machine::start(redis.address(), &record, limits(2, 1_000)).await;
    let call = second.call(1).await;
    first.call(1).await;
    assert_eq!(second.meter.give_back(call).await.expect("answers"), 1);
    first.network.becomes(Condition::Slow(Duration::from_secs(1)));
    assert_eq!(first.admit(1).await, Admission::MonthIsFull { used: 2 }, "which is what it knows");
    // Until Redis has counted it, no other session begins.
    eventually(async || second.used(1).await == 2).await;
    first.mend().await;
    assert_eq!((first.used(1).await, second.used(1).await), (1, 1));
    assert_eq!(second.call(1).await.used, 2);
    assert_eq!(second.admit(1).await, Admission::MonthIsFull { used: 2 });
}

async fn calls_at_once(machine: &Machine, calls: usize) {
    futures::future::join_all((0..calls).map(|_| machine.call(1))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_waits_for_a_redis_that_hangs_once_and_then_none_does() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    machine.call(1).await;
    machine.network.becomes(Condition::Hanging);
    let began = Instant::now();
    for used in 2..=40 {
        assert_eq!(machine.call(1).await.used, used);
    }
    // Were each call to wait, this would take twenty seconds.
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    machine.mend().await;
    assert_eq!(machine.used(1).await, 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_calls_of_a_killed_machine_are_recorded_by_another() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let killed = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    for _ in 0..5 {
        killed.call(1).await;
    }
    drop(killed);
    assert_eq!(on_record(&record, 1).await, 0);
    let other = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    assert_eq!(other.call(1).await.used, 6);
    other.commit().await;
    assert_eq!(on_record(&record, 1).await, 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_wait_for_a_record_that_is_away_while_redis_goes_on() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    record.become_unavailable();
    for used in 1..=3 {
        assert_eq!(machine.call(1).await.used, used);
        assert_eq!(machine.call(2).await.used, used);
    }
    machine.meter.commit(sports_accounts::testing::second(0)).await.expect_err("the record is away");
    assert_eq!(machine.meter.pending(), 2);
    record.come_back();
    machine.commit().await;
    assert_eq!((on_record(&record, 1).await, on_record(&record, 2).await, machine.meter.pending()), (3, 3, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_of_a_stopped_machine_in_redis_are_recorded_by_the_next_that_starts() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let stopped = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    // More customers than are read at once.
    for customer in 1..=250 {
        stopped.call(customer).await;
    }
    let given_back = stopped.call(1).await;
    stopped.meter.give_back(given_back).await.expect("answers");
    drop(stopped);
    let next = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    for customer in 1..=250 {
        eventually(async || {
            next.commit().await;
            on_record(&record, customer).await == 1
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_left_in_redis_are_recorded_by_others_when_the_record_is_back() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let stopped = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    let other = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    stopped.call(1).await;
    assert_eq!(other.call(1).await.used, 2, "it has merged the customer, and does not merge again");
    stopped.commit().await;
    other.commit().await;
    record.become_unavailable();
    for _ in 0..7 {
        stopped.call(1).await;
    }
    other.call(1).await;
    let now = sports_accounts::testing::second(0);
    stopped.meter.commit(now).await.expect_err("the record is away");
    other.meter.commit(now).await.expect_err("the record is away");
    drop(stopped);
    record.come_back();
    eventually(async || {
        other.commit().await;
        on_record(&record, 1).await == 10
    })
    .await;
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    assert_eq!(other.call(1).await.used, 11);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_refuses_writes_is_treated_as_away() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    machine.call(1).await;
    assert_eq!(redis.command("CONFIG SET maxmemory 1"), "+OK");
    assert_eq!(machine.call(1).await.used, 2);
    machine.becomes(false).await;
    assert_eq!(machine.call(1).await.used, 3);
    assert_eq!(redis.command("CONFIG SET maxmemory 0"), "+OK");
    machine.becomes(true).await;
    assert_eq!(machine.call(1).await.used, 4);
}

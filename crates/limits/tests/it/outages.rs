use std::sync::Arc;
use std::time::Duration;

use sports_ports::metering::Admission;
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::contract::limits;
use sports_testkit::services::{Condition, Redis};
use tokio::time::{Instant, sleep, timeout};

use crate::machine::{Machine, eventually, on_record, put_on_record};

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
    assert_eq!(first.call(1).await, 6, "the last count it knows of, and its own");
    let call = first.open_call(1).await;
    assert_eq!(first.refund(call).await, 6);
    second.commit().await;
    first.mend().await;
    // The first gets no further call: the customer may make the next one to the second.
    eventually(async || second.used(1).await == 8).await;
    assert_eq!(first.used(1).await, 8);
    first.commit().await;
    second.commit().await;
    assert_eq!((on_record(&record, 1).await, first.counting.local.pending()), (8, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_redis_a_server_limits_by_what_it_knows() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    put_on_record(&record, 1, 6).await;
    put_on_record(&record, 2, 6).await;
    let machine = Machine::start(redis.address(), &record, limits(8, 3)).await;
    assert_eq!(machine.call(1).await, 7);
    machine.cut(Condition::Refusing).await;
    assert_eq!(machine.call(1).await, 8);
    assert_eq!(machine.admit(1).await, Admission::MonthIsFull { used: 8 });
    assert_eq!(machine.call(2).await, 7, "of a customer that it did not meet before it knows the record");
    machine.used(2).await;
    machine.used(2).await;
    assert_eq!(machine.admit(2).await, Admission::SecondIsFull { used: 7 });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_starts_without_redis_from_what_is_on_record() {
    let Some(mut redis) = Redis::start().await else { return };
    redis.stop();
    let record = Arc::new(AccountsFake::new());
    put_on_record(&record, 1, 41).await;
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    assert!(!machine.is_together().await);
    assert_eq!(machine.call(1).await, 42);
    redis.start_again().await;
    machine.becomes(true).await;
    assert_eq!(machine.call(1).await, 43);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emptied_redis_loses_only_what_other_servers_had_not_committed() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    put_on_record(&record, 1, 100).await;
    let first = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    let second = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    for _ in 0..4 {
        first.call(1).await;
        second.call(1).await;
    }
    second.commit().await;
    second.call(1).await;
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    first.call(1).await;
    first.becomes(true).await;
    assert_eq!(first.used(1).await, 109, "its own, and what is on record of the other");
    second.commit().await;
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    eventually(async || first.used(1).await == 110).await;
    first.commit().await;
    assert_eq!(on_record(&record, 1).await, 110, "the record lost none");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_emptied_while_the_record_is_away_is_restored_from_memory() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    let other = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    other.call(1).await;
    machine.call(1).await;
    record.become_unavailable();
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    assert_eq!(machine.call(1).await, 3);
    machine.becomes(true).await;
    assert_eq!(machine.call(1).await, 4);
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
    assert_eq!(machine.call(1).await, 7);
    machine.becomes(true).await;
    assert_eq!(machine.call(1).await, 8);
    let next = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    assert_eq!(next.call(1).await, 9);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_runs_when_its_connection_has_ended_counts_nothing() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    machine.call(1).await;
    for expected in [5, 9] {
        // What is sent arrives later than the next connection begins.
        machine.network.becomes(Condition::Slow(Duration::from_secs(3)));
        futures::future::join_all((0..4).map(|_| machine.call(1))).await;
        machine.mend().await;
        assert_eq!(machine.used(1).await, expected);
        sleep(Duration::from_millis(3_500)).await;
        assert_eq!(machine.used(1).await, expected);
    }
}

/// Redis counts the call late; the server, which had no reply, has refused it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_refused_without_a_reply_is_not_counted() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let first = Machine::start(redis.address(), &record, limits(2, 1_000)).await;
    let second = Machine::start(redis.address(), &record, limits(2, 1_000)).await;
    let call = second.open_call(1).await;
    first.call(1).await;
    assert_eq!(second.refund(call).await, 1);
    first.network.becomes(Condition::Slow(Duration::from_secs(1)));
    assert_eq!(first.admit(1).await, Admission::MonthIsFull { used: 2 }, "which is what it knows");
    // Until Redis has counted it, there is no other connection.
    eventually(async || second.used(1).await == 2).await;
    first.mend().await;
    eventually(async || second.used(1).await == 1).await;
    assert_eq!(first.used(1).await, 1);
    assert_eq!(second.call(1).await, 2);
    assert_eq!(second.admit(1).await, Admission::MonthIsFull { used: 2 });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_without_a_reply_is_made_later() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let first = Machine::start(redis.address(), &record, limits(10, 1_000)).await;
    let second = Machine::start(redis.address(), &record, limits(10, 1_000)).await;
    let call = first.open_call(1).await;
    first.call(1).await;
    first.cut(Condition::Refusing).await;
    assert_eq!(first.refund(call).await, 1);
    first.mend().await;
    // The first gets no further call.
    eventually(async || second.used(1).await == 1).await;
    assert_eq!(first.used(1).await, 1);
}

/// A client that goes away before its call is decided on has made no call.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_abandoned_call_is_subtracted_by_the_next() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(10, 1_000)).await;
    machine.call(1).await;
    machine.network.becomes(Condition::Slow(Duration::from_millis(200)));
    timeout(Duration::from_millis(100), machine.admit(1)).await.expect_err("there is no reply yet");
    sleep(Duration::from_millis(200)).await;
    machine.network.becomes(Condition::Well);
    assert_eq!(machine.used(1).await, 1);
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
        assert_eq!(machine.call(1).await, used);
    }
    // Were each call to wait, this would take twenty seconds.
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    machine.mend().await;
    eventually(async || machine.used(1).await == 40).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_calls_of_a_customer_wait_together_for_a_redis_that_hangs() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    machine.network.becomes(Condition::Hanging);
    let began = Instant::now();
    let mut counts = futures::future::join_all((0..20).map(|_| machine.call(1))).await;
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    counts.sort_unstable();
    assert_eq!(counts, (1..=20).collect::<Vec<_>>());
    machine.mend().await;
    eventually(async || machine.used(1).await == 20).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_a_killed_server_stay_counted_while_redis_has_them() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let killed = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    for _ in 0..3 {
        killed.call(1).await;
    }
    killed.commit().await;
    for _ in 0..2 {
        killed.call(1).await;
    }
    drop(killed);
    let other = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    assert_eq!(other.call(1).await, 6);
    other.commit().await;
    assert_eq!(on_record(&record, 1).await, 4, "without the two that were not committed");
    assert_eq!(redis.command("FLUSHALL"), "+OK");
    eventually(async || other.used(1).await == 4).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_wait_for_a_record_that_is_away_while_redis_goes_on() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    record.become_unavailable();
    for used in 1..=3 {
        assert_eq!(machine.call(1).await, used);
        assert_eq!(machine.call(2).await, used);
    }
    machine.counting.local.commit(sports_accounts::testing::second(0)).await.expect_err("the record is away");
    assert_eq!(machine.counting.local.pending(), 2);
    record.come_back();
    machine.commit().await;
    let pending = machine.counting.local.pending();
    assert_eq!((on_record(&record, 1).await, on_record(&record, 2).await, pending), (3, 3, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_refuses_writes_is_treated_as_away() {
    let Some(redis) = Redis::start().await else { return };
    let record = Arc::new(AccountsFake::new());
    let machine = Machine::start(redis.address(), &record, limits(1_000, 1_000)).await;
    machine.call(1).await;
    assert_eq!(redis.command("CONFIG SET maxmemory 1"), "+OK");
    assert_eq!(machine.call(1).await, 2);
    machine.becomes(false).await;
    assert_eq!(machine.call(1).await, 3);
    assert_eq!(redis.command("CONFIG SET maxmemory 0"), "+OK");
    machine.becomes(true).await;
    assert_eq!(machine.call(1).await, 4);
}

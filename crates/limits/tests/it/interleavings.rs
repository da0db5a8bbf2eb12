use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use sports_ports::metering::{CountedCall, Meter};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::contract::limits;
use sports_testkit::services::{Condition, Redis};

use crate::machine::{Machine, customer, eventually, on_record, put_on_record};

/// Longer than the limit for a reply.
const SLOW: Duration = Duration::from_millis(900);

/// The conditions of a machine's network to Redis.
const CONDITIONS: [Condition; 4] = [Condition::Well, Condition::Refusing, Condition::Hanging, Condition::Slow(SLOW)];

/// An event of two servers, their Redis and their record.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// A customer makes so many calls at once. The last of them has no answer yet.
    Calls { machine: usize, customer: u8, calls: usize },
    /// The last call without an answer is answered, and counts.
    Keep,
    /// The last call without an answer is answered, and does not count.
    Refund,
    /// A server is stopped, and a new one takes its place.
    Replace { machine: usize },
    /// Redis is out of its reach, or is again.
    Reach { machine: usize, condition: Condition },
    /// Redis replies a little later.
    Pause,
    /// Connections end, with the answers that are under way.
    Disconnect,
    /// Redis loses everything.
    Empty,
    /// Redis notes what it holds.
    Save,
    /// It goes back to what it noted.
    Restart,
}

fn a_step() -> impl Strategy<Value = Step> {
    let (machine, customer) = (0..2_usize, 1..=2_u8);
    let condition = prop::sample::select(&CONDITIONS[..]);
    prop_oneof![
        10 => (machine.clone(), customer, 1..6_usize)
            .prop_map(|(machine, customer, calls)| Step::Calls { machine, customer, calls }),
        2 => Just(Step::Keep),
        2 => Just(Step::Refund),
        1 => machine.clone().prop_map(|machine| Step::Replace { machine }),
        3 => (machine, condition).prop_map(|(machine, condition)| Step::Reach { machine, condition }),
        1 => Just(Step::Pause),
        2 => Just(Step::Disconnect),
        2 => Just(Step::Empty),
        1 => Just(Step::Save),
        1 => Just(Step::Restart),
    ]
}

struct World {
    redis: Redis,
    record: Arc<AccountsFake>,
    machines: Vec<Machine>,
    /// Calls without an answer, with the server that admitted them.
    open: Vec<(usize, CountedCall)>,
    /// Calls that count, by customer.
    kept: [u64; 3],
    /// Calls that were without an answer for a while. Redis may miss them, if it was seeded meanwhile.
    unanswered: u64,
}

impl World {
    async fn start() -> Option<Self> {
        let redis = Redis::start().await?;
        redis.save();
        let record = Arc::new(AccountsFake::new());
        put_on_record(&record, 1, 100).await;
        let mut machines = Vec::new();
        for _ in 0..2 {
            machines.push(Machine::start(redis.address(), &record, limits(100_000, 100_000)).await);
        }
        Some(Self { redis, record, machines, open: Vec::new(), kept: [0, 100, 0], unanswered: 0 })
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Calls { machine, customer, calls } => {
                let at = &self.machines[machine];
                let made = futures::future::join_all((0..calls).map(|_| at.open_call(customer))).await;
                self.unanswered += 1;
                self.open.extend(made.into_iter().map(|call| (machine, call)));
                (1..calls).for_each(|_| self.keep());
            }
            Step::Keep => self.keep(),
            Step::Refund => {
                if let Some((machine, call)) = self.open.pop() {
                    self.machines[machine].refund(call).await;
                }
            }
            Step::Replace { machine } => {
                self.keep_all();
                self.machines[machine].commit().await;
                self.machines[machine] =
                    Machine::start(self.redis.address(), &self.record, limits(100_000, 100_000)).await;
            }
            Step::Reach { machine, condition } => self.machines[machine].network.becomes(condition),
            Step::Pause => drop(self.redis.command("CLIENT PAUSE 700 ALL")),
            Step::Disconnect => drop(self.redis.command("CLIENT KILL TYPE normal")),
            Step::Empty => drop(self.redis.command("FLUSHALL")),
            Step::Save => self.redis.save(),
            Step::Restart => self.redis.start_again().await,
        }
        // As often as a server commits, compared with what happens to Redis.
        for machine in &self.machines {
            machine.commit().await;
        }
    }

    fn keep(&mut self) {
        if let Some((machine, call)) = self.open.pop() {
            self.machines[machine].counting.meter.keep(call);
            self.kept[if call.customer == customer(1) { 1 } else { 2 }] += 1;
        }
    }

    fn keep_all(&mut self) {
        (0..self.open.len()).for_each(|_| self.keep());
    }

    /// Checks that the record has every kept call, and Redis no call too many; and that Redis has all of them when it is
    /// seeded again.
    async fn comes_to_what_was_kept(&mut self) {
        self.keep_all();
        for machine in &self.machines {
            machine.network.becomes(Condition::Well);
            machine.commit().await;
        }
        for machine in &self.machines {
            machine.becomes(true).await;
        }
        for customer in 1..=2 {
            let kept = self.kept[usize::from(customer)];
            assert_eq!(on_record(&self.record, customer).await, kept, "on record of customer {customer}");
            for machine in &self.machines {
                let counted = kept.saturating_sub(self.unanswered)..=kept;
                // Each server corrects its part once it is connected again.
                eventually(async || counted.contains(&machine.used(customer).await)).await;
            }
        }
        assert_eq!(self.redis.command("FLUSHALL"), "+OK");
        for customer in 1..=2 {
            for machine in &self.machines {
                let kept = self.kept[usize::from(customer)];
                eventually(async || machine.used(customer).await == kept && machine.is_together().await).await;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 20, ..ProptestConfig::default() })]

    /// Whatever happens to Redis and the ways to it, and in whatever order: each kept call is on record once, and Redis counts
    /// none twice, and misses none but of those that were without an answer.
    #[test]
    fn every_kept_call_is_recorded_once_whatever_happens_to_redis(steps in prop::collection::vec(a_step(), 1..14)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("starts");
        runtime.block_on(async {
            let Some(mut world) = World::start().await else { return };
            for step in steps {
                world.take(step).await;
            }
            world.comes_to_what_was_kept().await;
        });
    }
}

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use sports_ports::metering::{CountedCall, Meter};
use sports_testkit::accounts::AccountsFake;
use sports_testkit::metering::contract::limits;
use sports_testkit::services::{Condition, Redis};

use crate::machine::{Machine, eventually, on_record, record_whole};

/// Longer than the limit for a reply.
const SLOW: Duration = Duration::from_millis(900);

/// The conditions of a machine's network to Redis.
const CONDITIONS: [Condition; 4] = [Condition::Well, Condition::Refusing, Condition::Hanging, Condition::Slow(SLOW)];

/// An event of two machines, their Redis and their record. Redis loses everything or nothing: it is to be run with
/// `noeviction`.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// A customer makes so many calls at once.
    Calls { machine: usize, customer: u8, calls: usize },
    /// The last call is given back, to the machine that admitted it.
    GiveBack,
    /// A machine records what it counted.
    Commit { machine: usize },
    /// It is stopped, and a new one takes its place.
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
        2 => Just(Step::GiveBack),
        2 => machine.clone().prop_map(|machine| Step::Commit { machine }),
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
    admitted: Vec<(usize, CountedCall)>,
    /// Calls that were admitted and not given back, by customer.
    expected: [u64; 3],
}

impl World {
    async fn start() -> Option<Self> {
        let redis = Redis::start().await?;
        redis.save();
        let record = Arc::new(AccountsFake::new());
        record_whole(&record, 1, 100).await;
        let mut machines = Vec::new();
        for _ in 0..2 {
            machines.push(Machine::start(redis.address(), &record, limits(100_000, 100_000)).await);
        }
        Some(Self { redis, record, machines, admitted: Vec::new(), expected: [0, 100, 0] })
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Calls { machine, customer, calls } => {
                let at = &self.machines[machine];
                let made = futures::future::join_all((0..calls).map(|_| at.call(customer))).await;
                self.expected[usize::from(customer)] += u64::try_from(calls).expect("few");
                self.admitted.extend(made.into_iter().map(|call| (machine, call)));
            }
            Step::GiveBack => {
                if let Some((machine, call)) = self.admitted.pop() {
                    self.machines[machine].meter.give_back(call).await.expect("answers");
                    let is_first = call.customer == crate::machine::customer(1);
                    self.expected[if is_first { 1 } else { 2 }] -= 1;
                }
            }
            Step::Commit { machine } => self.machines[machine].commit().await,
            Step::Replace { machine } => {
                self.machines[machine].commit().await;
                self.admitted.retain(|(at, _)| *at != machine);
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
    }

    /// Waits until all counts equal the admitted calls, once every part is well.
    async fn comes_to_what_was_admitted(&self) {
        for machine in &self.machines {
            machine.network.becomes(Condition::Well);
        }
        for machine in &self.machines {
            machine.becomes(true).await;
        }
        for (customer, expected) in (1..=2).zip(self.expected[1..].iter()) {
            for machine in &self.machines {
                eventually(async || machine.used(customer).await == *expected && machine.is_together().await).await;
                machine.commit().await;
            }
            // Nothing that runs late changes it.
            assert_eq!(self.machines[0].used(customer).await, *expected, "customer {customer}");
            assert_eq!(on_record(&self.record, customer).await, *expected, "on record of customer {customer}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 20, ..ProptestConfig::default() })]

    /// Whatever happens to Redis and the ways to it, and in whatever order: in the end each admitted call is counted
    /// once, in Redis and on record.
    #[test]
    fn every_admitted_call_is_counted_once_whatever_happens_to_redis(steps in prop::collection::vec(a_step(), 1..14)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("starts");
        runtime.block_on(async {
            let Some(mut world) = World::start().await else { return };
            for step in steps {
                world.take(step).await;
            }
            world.comes_to_what_was_admitted().await;
        });
    }
}

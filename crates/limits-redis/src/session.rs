use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisResult};
use sports_accounts::{CalendarMonth, CallerNetwork, CustomerId, ProcessId};
use sports_ports::metering::ProcessCount;

use crate::scripts::{ADDRESS, CALLS, MERGE};

/// What is on record of a month, for each customer.
pub type OnRecord = HashMap<CustomerId, Vec<ProcessCount>>;

/// One connection with Redis, from when it was made until something fails on it.
///
/// Each customer's month is merged in it before a call of theirs is counted in it. Sessions of a process have numbers that
/// grow: scripts of one that is over change nothing any more, however late they come to run.
pub struct Session {
    number: u64,
    process: ProcessId,
    connection: MultiplexedConnection,
    /// What was on record after the connection was made.
    months: RwLock<HashMap<CalendarMonth, Arc<OnRecord>>>,
}

/// What Redis says to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Done.
    Done(Tally),
    /// The second is full.
    SecondIsFull(Tally),
    /// The month is full.
    MonthIsFull(Tally),
}

/// A count as Redis has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Of the month, by all.
    pub total: u64,
    /// What of it this process counted.
    pub own: u64,
}

impl Tally {
    /// What became of a call, with the count after it.
    fn verdict(&mut self, deed: Deed, outcome: i64) -> Verdict {
        match (outcome, deed) {
            (0, Deed::Admit(_)) => *self = Self { total: self.total + 1, own: self.own + 1 },
            (0, Deed::GiveBack) => {
                *self = Self { total: self.total.saturating_sub(1), own: self.own.saturating_sub(1) };
            }
            _ => {}
        }
        match outcome {
            0 => Verdict::Done(*self),
            1 => Verdict::SecondIsFull(*self),
            _ => Verdict::MonthIsFull(*self),
        }
    }
}

/// What is done for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// A call that counts is admitted, up to so many in the month, or refused.
    Admit(u64),
    /// One that does not.
    AdmitUncounted,
    /// A call is given back.
    GiveBack,
}

/// A limit of calls within a second, as it is passed to a script.
#[derive(Debug, Clone, Copy)]
pub struct SecondLimit {
    /// How many calls.
    pub per_second: NonZeroU32,
    /// By which clock.
    pub seconds: Seconds,
}

/// By which clock a second is limited while machines count together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seconds {
    /// By Redis' own, which is the same for all machines.
    OfRedis,
    /// By that of the call's arrival: for tests, which cannot move the clock of Redis.
    OfArrival,
}

impl SecondLimit {
    /// A call's place in a second, if it is not that of Redis' own clock.
    fn moment(self, uptime: Duration) -> String {
        match self.seconds {
            Seconds::OfRedis => String::new(),
            Seconds::OfArrival => uptime.as_micros().to_string(),
        }
    }
}

impl Session {
    /// How long an answer may take. One that takes longer ends the session.
    const PATIENCE: Duration = Duration::from_millis(500);

    /// How long a connection may take to be made.
    const CONNECTING: Duration = Duration::from_secs(2);

    /// How long a customer's month is kept, in seconds: more than two months.
    const KEPT: u64 = 70 * 24 * 3600;

    /// For how long Redis remembers that a process is there, in seconds.
    const REMEMBERED: u64 = 24 * 3600;

    /// Lua's numbers are exact up to here.
    const UNLIMITED: u64 = 1 << 53;

    /// Connects, and leaves a mark by which it shows later whether Redis lost what it had.
    pub async fn begin(client: &Client, process: ProcessId, number: u64) -> RedisResult<Self> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(Self::CONNECTING))
            .set_response_timeout(Some(Self::PATIENCE));
        let connection = client.get_multiplexed_async_connection_with_config(&config).await?;
        let session = Self { number, process, connection, months: RwLock::default() };
        let mut mark = redis::cmd("SET");
        mark.arg(session.mark()).arg(number).arg("EX").arg(Self::REMEMBERED);
        let () = mark.query_async(&mut session.connection.clone()).await?;
        Ok(session)
    }

    /// Which of its process' sessions it is.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// What was on record of a month.
    pub fn on_record(&self, month: CalendarMonth) -> Option<Arc<OnRecord>> {
        self.months.read().unwrap_or_else(std::sync::PoisonError::into_inner).get(&month).cloned()
    }

    /// Learns what is on record of a month.
    pub fn learn(&self, month: CalendarMonth, on_record: Arc<OnRecord>) {
        self.months.write().unwrap_or_else(std::sync::PoisonError::into_inner).insert(month, on_record);
    }

    /// Forgets what was on record of other months.
    pub fn forget_all_but(&self, months: &HashSet<CalendarMonth>) {
        self.months
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .retain(|month, _| months.contains(month));
    }

    /// Whether Redis still has what it had when the session began.
    pub async fn is_whole(&self) -> RedisResult<bool> {
        let mut remembered = redis::cmd("EXPIRE");
        remembered.arg(self.mark()).arg(Self::REMEMBERED);
        remembered.query_async(&mut self.connection.clone()).await
    }

    /// Reads the policy by which Redis makes room, if it names one.
    pub async fn eviction_policy(&self) -> RedisResult<Option<String>> {
        let memory: String = redis::cmd("INFO").arg("memory").query_async(&mut self.connection.clone()).await?;
        let policy = memory.lines().find_map(|line| line.strip_prefix("maxmemory_policy:"));
        Ok(policy.map(|policy| policy.trim().to_owned()))
    }

    /// Does something for each of a customer's calls, in turn, and says what became of each. Nothing is said, and nothing
    /// was done, where the month is not merged in this session: where it was, Redis has lost it.
    pub async fn carry_out(
        &self,
        customer: CustomerId,
        month: CalendarMonth,
        calls: impl Iterator<Item = (Deed, Duration)>,
        limit: SecondLimit,
    ) -> RedisResult<Option<Vec<Verdict>>> {
        let mut script = CALLS.key(month_key(customer, month));
        script.key(format!("sports:second:{{{customer}}}")).arg(self.process.to_string()).arg(self.number);
        script.arg(limit.per_second.get());
        let mut deeds = Vec::new();
        for (deed, uptime) in calls {
            match deed {
                Deed::Admit(most) => script.arg(most.min(Self::UNLIMITED)),
                Deed::AdmitUncounted => script.arg("uncounted"),
                Deed::GiveBack => script.arg("back"),
            };
            script.arg(limit.moment(uptime));
            deeds.push(deed);
        }
        let answer: Vec<i64> = script.invoke_async(&mut self.connection.clone()).await?;
        let [total, own, outcomes @ ..] = answer.as_slice() else { return Ok(None) };
        if outcomes.len() != deeds.len() {
            return Err((redis::ErrorKind::UnexpectedReturnType, "a call without an answer").into());
        }
        let mut tally = Tally { total: whole(*total), own: whole(*own) };
        Ok(Some(deeds.into_iter().zip(outcomes).map(|(deed, outcome)| tally.verdict(deed, *outcome)).collect()))
    }

    /// Brings what is known of a customer's month together with what Redis knows; gives that. Nothing where Redis lost
    /// what it had since the session began, as what is known is older than that.
    pub async fn merge(
        &self,
        customer: CustomerId,
        month: CalendarMonth,
        known: &[ProcessCount],
    ) -> RedisResult<Option<Merged>> {
        let mut script = MERGE.key(month_key(customer, month));
        script.arg(self.process.to_string()).arg(self.number).arg(Self::KEPT);
        for ProcessCount { process, admitted, given_back, .. } in known {
            script.arg(name(*process)).arg(admitted).arg(given_back);
        }
        let fields: HashMap<String, u64> = script.invoke_async(&mut self.connection.clone()).await?;
        // Looked at after it: had Redis been emptied before, the mark would be gone.
        let is_whole = !fields.is_empty() && self.is_whole().await?;
        Ok(is_whole.then(|| Merged::read(customer, month, &fields)))
    }

    /// A part of what Redis has of customers' months, from `cursor` on, which is 0 at first; with the next cursor, which is
    /// 0 after the last part. It is small enough to be no wait for the calls between two parts.
    pub async fn part(
        &self,
        cursor: u64,
        is_wanted: impl Fn(CalendarMonth) -> bool,
    ) -> RedisResult<(u64, Vec<Merged>)> {
        /// About so many keys a part.
        const KEYS: u8 = 100;
        let mut scan = redis::cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg("sports:calls:*").arg("COUNT").arg(KEYS);
        let (next, keys): (u64, Vec<String>) = scan.query_async(&mut self.connection.clone()).await?;
        let (mut names, mut read) = (Vec::new(), redis::pipe());
        for key in keys {
            if let Some((customer, month)) = read_month_key(&key).filter(|(_, month)| is_wanted(*month)) {
                names.push((customer, month));
                read.cmd("HGETALL").arg(key);
            }
        }
        if names.is_empty() {
            return Ok((next, Vec::new()));
        }
        let hashes: Vec<HashMap<String, u64>> = read.query_async(&mut self.connection.clone()).await?;
        let part =
            names.into_iter().zip(&hashes).map(|((customer, month), fields)| Merged::read(customer, month, fields));
        Ok((next, part.collect()))
    }

    /// Whether a second of an address holds one more call.
    pub async fn admits(&self, caller: CallerNetwork, uptime: Duration, limit: SecondLimit) -> RedisResult<bool> {
        let mut script = ADDRESS.key(format!("sports:second:{{{caller}}}"));
        script.arg(limit.per_second.get()).arg(limit.moment(uptime));
        script.invoke_async(&mut self.connection.clone()).await
    }

    fn mark(&self) -> String {
        format!("sports:process:{}", self.process)
    }
}

/// Everything that Redis has of a customer's month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// By process, and without one.
    pub counts: Vec<ProcessCount>,
    /// What they come to.
    pub total: u64,
}

impl Merged {
    fn read(customer: CustomerId, month: CalendarMonth, fields: &HashMap<String, u64>) -> Self {
        let counts = fields.iter().filter_map(|(field, admitted)| {
            let id = field.strip_prefix("admitted:")?;
            let process = if id == ALONE { None } else { Some(id.parse().ok()?) };
            let given_back = fields.get(&format!("given:{id}")).copied().unwrap_or_default();
            Some(ProcessCount { customer, month, process, admitted: *admitted, given_back })
        });
        Self { counts: counts.collect(), total: fields.get("total").copied().unwrap_or_default() }
    }

    /// Whose month it is, if nothing is on record that Redis lacks.
    pub fn complete_beside(
        &self,
        on_record: impl Fn(CalendarMonth) -> Option<Arc<OnRecord>>,
    ) -> Option<(CustomerId, CalendarMonth)> {
        let ProcessCount { customer, month, .. } = *self.counts.first()?;
        let on_record = on_record(month)?;
        let has = |recorded: &ProcessCount| {
            let same = self.counts.iter().find(|count| count.process == recorded.process);
            same.is_some_and(|same| same.admitted >= recorded.admitted && same.given_back >= recorded.given_back)
        };
        on_record.get(&customer).into_iter().flatten().all(has).then_some((customer, month))
    }

    /// The same, as one process sees it.
    pub fn tally_of(&self, process: Option<ProcessId>) -> Tally {
        let own = self.counts.iter().find(|count| count.process == process);
        Tally { total: self.total, own: own.map_or(0, |own| own.admitted.saturating_sub(own.given_back)) }
    }
}

/// What is on record without a process.
const ALONE: &str = "alone";

fn name(process: Option<ProcessId>) -> String {
    process.map_or_else(|| ALONE.to_owned(), |process| process.to_string())
}

/// All keys of a customer are in one place of a cluster.
fn month_key(customer: CustomerId, month: CalendarMonth) -> String {
    format!("sports:calls:{{{customer}}}:{month}")
}

fn read_month_key(key: &str) -> Option<(CustomerId, CalendarMonth)> {
    let (customer, month) = key.strip_prefix("sports:calls:{")?.split_once("}:")?;
    Some((customer.parse().ok()?, month.parse().ok()?))
}

/// No count is below zero, whatever a script says.
fn whole(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

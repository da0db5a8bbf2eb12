use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisResult};
use sports_accounts::{CalendarMonth, CallerNetwork, CustomerId, ProcessId};
use sports_ports::metering::ProcessCount;

use crate::call::{Call, Decision, Operation, Tally};
use crate::scripts::{ADDRESS, CALL, MERGE};

/// The recorded counts of a month, by customer.
pub type OnRecord = HashMap<CustomerId, Vec<ProcessCount>>;

/// A connection with Redis, until an error ends it.
///
/// A customer's month is merged in a session before a call of it is counted there. Session numbers of a process grow: late
/// scripts of an ended session change nothing.
pub struct Session {
    number: u64,
    process: ProcessId,
    connection: MultiplexedConnection,
    /// The recorded counts, read after the connection was made.
    months: RwLock<HashMap<CalendarMonth, Arc<OnRecord>>>,
}

/// A limit of calls within a second, as it is passed to a script.
#[derive(Debug, Clone, Copy)]
pub struct SecondLimit {
    /// The number of calls.
    pub per_second: NonZeroU32,
    /// The clock of the second.
    pub seconds: Seconds,
}

/// The clock by which a second is limited while machines count together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seconds {
    /// The clock of Redis, which is the same for all machines.
    OfRedis,
    /// The uptime at the arrival of the call: for tests, which cannot move the clock of Redis.
    OfArrival,
}

impl SecondLimit {
    /// Returns the moment of a call in microseconds; empty for the clock of Redis.
    fn moment(self, uptime: Duration) -> String {
        match self.seconds {
            Seconds::OfRedis => String::new(),
            Seconds::OfArrival => uptime.as_micros().to_string(),
        }
    }
}

impl Session {
    /// The longest time for a reply. A later one ends the session.
    const REPLY_TIMEOUT: Duration = Duration::from_millis(500);

    /// The longest time to connect.
    const CONNECTING: Duration = Duration::from_secs(2);

    /// The lifetime of a customer's month, in seconds: more than two months.
    const KEPT: u64 = 70 * 24 * 3600;

    /// The lifetime of the mark of a process, in seconds.
    const REMEMBERED: u64 = 24 * 3600;

    /// Lua's numbers are exact up to here.
    const UNLIMITED: u64 = 1 << 53;

    /// Connects, and sets a mark whose absence shows later that Redis lost its data.
    pub async fn begin(client: &Client, process: ProcessId, number: u64) -> RedisResult<Self> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(Self::CONNECTING))
            .set_response_timeout(Some(Self::REPLY_TIMEOUT));
        let connection = client.get_multiplexed_async_connection_with_config(&config).await?;
        let session = Self { number, process, connection, months: RwLock::default() };
        let mut mark = redis::cmd("SET");
        mark.arg(session.mark()).arg(number).arg("EX").arg(Self::REMEMBERED);
        let () = mark.query_async(&mut session.connection.clone()).await?;
        Ok(session)
    }

    /// Returns the number of the session within its process.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the recorded counts of a month, if the session has read them.
    pub fn on_record(&self, month: CalendarMonth) -> Option<Arc<OnRecord>> {
        self.months.read().unwrap_or_else(std::sync::PoisonError::into_inner).get(&month).cloned()
    }

    /// Sets the recorded counts of a month.
    pub fn set_on_record(&self, month: CalendarMonth, on_record: Arc<OnRecord>) {
        self.months.write().unwrap_or_else(std::sync::PoisonError::into_inner).insert(month, on_record);
    }

    /// Forgets the recorded counts of other months.
    pub fn forget_all_but(&self, months: &HashSet<CalendarMonth>) {
        self.months
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .retain(|month, _| months.contains(month));
    }

    /// Returns true if Redis still has the data that it had when the session began.
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

    /// Carries out a call of a customer. Returns `None`, and changes nothing, if the month is not merged in this session: if it
    /// was, Redis has lost it.
    pub async fn carry_out(
        &self,
        customer: CustomerId,
        month: CalendarMonth,
        call: Call,
        limit: SecondLimit,
    ) -> RedisResult<Option<Decision<Tally>>> {
        let mut script = CALL.key(month_key(customer, month));
        script.key(format!("sports:second:{{{customer}}}")).arg(self.process.to_string()).arg(self.number);
        script.arg(limit.per_second.get());
        match call.operation {
            Operation::Admit(most) => script.arg(most.min(Self::UNLIMITED)),
            Operation::AdmitUncounted => script.arg("uncounted"),
            Operation::Refund => script.arg("refund"),
        };
        script.arg(limit.moment(call.uptime));
        let reply: Vec<i64> = script.invoke_async(&mut self.connection.clone()).await?;
        let [outcome, total, own] = reply[..] else { return Ok(None) };
        let tally = Tally { total: whole(total), own: whole(own) };
        Ok(Some(match outcome {
            0 => Decision::Done(tally),
            1 => Decision::SecondIsFull(tally),
            _ => Decision::MonthIsFull(tally),
        }))
    }

    /// Merges known counts of a customer's month with those in Redis; returns the merged counts. Returns `None` if Redis lost its
    /// data since the session began, as the known counts are older than that.
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

    /// Reads a part of the customers' months in Redis, from `cursor` on, which is 0 at first; returns it with the next cursor,
    /// which is 0 after the last part. A part is small, so that calls between two parts are not delayed.
    pub async fn part(
        &self,
        cursor: u64,
        is_wanted: impl Fn(CalendarMonth) -> bool,
    ) -> RedisResult<(u64, Vec<Merged>)> {
        /// The approximate number of keys in a part.
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

    /// Admits a call of an address, if its second holds one more.
    pub async fn admits(&self, caller: CallerNetwork, uptime: Duration, limit: SecondLimit) -> RedisResult<bool> {
        let mut script = ADDRESS.key(format!("sports:second:{{{caller}}}"));
        script.arg(limit.per_second.get()).arg(limit.moment(uptime));
        script.invoke_async(&mut self.connection.clone()).await
    }

    fn mark(&self) -> String {
        format!("sports:process:{}", self.process)
    }
}

/// The counts of a customer's month in Redis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// Counts of processes, and the count without a process.
    pub counts: Vec<ProcessCount>,
    /// The sum of the counts.
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

    /// Returns the customer and month, if Redis has every recorded count of it.
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

    /// Returns the total, and the part of a process.
    pub fn tally_of(&self, process: Option<ProcessId>) -> Tally {
        let own = self.counts.iter().find(|count| count.process == process);
        Tally { total: self.total, own: own.map_or(0, |own| own.admitted.saturating_sub(own.given_back)) }
    }
}

/// The name of the count without a process.
const ALONE: &str = "alone";

fn name(process: Option<ProcessId>) -> String {
    process.map_or_else(|| ALONE.to_owned(), |process| process.to_string())
}

/// Returns the key of a month. All keys of a customer have one hash tag, and so one slot of a cluster.
fn month_key(customer: CustomerId, month: CalendarMonth) -> String {
    format!("sports:calls:{{{customer}}}:{month}")
}

fn read_month_key(key: &str) -> Option<(CustomerId, CalendarMonth)> {
    let (customer, month) = key.strip_prefix("sports:calls:{")?.split_once("}:")?;
    Some((customer.parse().ok()?, month.parse().ok()?))
}

/// Converts a count of a script, which may be below zero after a loss of data, into one from zero.
fn whole(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

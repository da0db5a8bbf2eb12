use std::num::NonZeroU32;
use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisResult, Script};
use sports_accounts::{CallerNetwork, ProcessId};
use sports_ports::calls::{CallObserver, observed};

use crate::counts::Count;

/// Admits a call of a customer or refuses it, and corrects the month's count.
static CALL: LazyLock<Script> =
    LazyLock::new(|| Script::new(concat!(include_str!("scripts/second.lua"), include_str!("scripts/call.lua"))));

/// Admits a call from an address or refuses it.
static ADDRESS: LazyLock<Script> =
    LazyLock::new(|| Script::new(concat!(include_str!("scripts/second.lua"), include_str!("scripts/address.lua"))));

/// A connection with Redis, until an error or a late reply ends it.
///
/// It sets a mark that each script checks. So a script that runs late, when another connection has replaced this one, has
/// no effect, and a Redis that lost its data is noticed by the next script.
pub struct Connection {
    number: u64,
    process: ProcessId,
    requests: MultiplexedConnection,
    observer: CallObserver,
}

/// A call of a customer.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    pub operation: Operation,
    /// The uptime at its arrival.
    pub uptime: Duration,
}

impl Call {
    /// No call: the count is corrected alone.
    pub const CORRECTION: Self = Self { operation: Operation::Correct, uptime: Duration::ZERO };
}

/// The operation after the correction of a customer's count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Admits a call that counts, up to so many in the month.
    Admit(u64),
    /// Admits a call that does not count.
    AdmitUncounted,
    /// Corrects the count alone.
    Correct,
}

/// A correction of a month's count, applied before a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Correction {
    /// Calls to subtract.
    pub owed: u64,
    /// The count that the month has at least after that.
    pub least: u64,
    /// True if `least` is the count of a month that Redis does not know.
    pub is_seed: bool,
}

/// The reply to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    Decided(Decision),
    /// Redis has no count of the month. Nothing was changed.
    NotSeeded,
    /// Redis has lost the mark of the connection. Nothing was changed.
    MarkLost,
}

/// The decision on a call, with the month's count after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The operation was carried out.
    Done(u64),
    SecondIsFull(u64),
    MonthIsFull(u64),
}

/// A limit of calls within a second, as it is passed to a script.
#[derive(Debug, Clone, Copy)]
pub struct SecondLimit {
    /// The number of calls.
    pub per_second: NonZeroU32,
    /// The clock of the second.
    pub seconds: Seconds,
}

/// The clock by which a second is limited while servers count together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seconds {
    /// The clock of Redis, which is the same for all servers.
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

impl Connection {
    /// The longest time for a reply. A later one ends the connection.
    const REPLY_TIMEOUT: Duration = Duration::from_millis(500);

    /// The longest time to connect.
    const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

    /// The lifetime of a customer's month, in seconds: more than two months.
    const MONTH_LIFETIME: u64 = 70 * 24 * 3600;

    /// The lifetime of the mark, in seconds.
    const MARK_LIFETIME: u64 = 24 * 3600;

    /// Lua's numbers are exact up to here.
    const UNLIMITED: u64 = 1 << 53;

    /// Connects, and sets the mark; `observer` sees this and all requests. Numbers of a process grow, from 1.
    pub async fn open(client: &Client, process: ProcessId, number: u64, observer: CallObserver) -> RedisResult<Self> {
        let opening = Self::opened(client, process, number, observer.clone());
        observed(&observer, opening, |_| true).await
    }

    async fn opened(client: &Client, process: ProcessId, number: u64, observer: CallObserver) -> RedisResult<Self> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(Self::CONNECT_TIMEOUT))
            .set_response_timeout(Some(Self::REPLY_TIMEOUT));
        let requests = client.get_multiplexed_async_connection_with_config(&config).await?;
        let opened = Self { number, process, requests, observer };
        let mut mark = redis::cmd("SET");
        mark.arg(opened.mark()).arg(number).arg("EX").arg(Self::MARK_LIFETIME);
        let () = mark.query_async(&mut opened.requests.clone()).await?;
        Ok(opened)
    }

    /// Returns its number.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns true if Redis still has the mark.
    pub async fn is_marked(&self) -> RedisResult<bool> {
        let mut renew = redis::cmd("EXPIRE");
        renew.arg(self.mark()).arg(Self::MARK_LIFETIME);
        self.observed(renew.query_async(&mut self.requests.clone())).await
    }

    /// Reads the policy by which Redis makes room, if it names one.
    pub async fn eviction_policy(&self) -> RedisResult<Option<String>> {
        let memory: String = redis::cmd("INFO").arg("memory").query_async(&mut self.requests.clone()).await?;
        let policy = memory.lines().find_map(|line| line.strip_prefix("maxmemory_policy:"));
        Ok(policy.map(|policy| policy.trim().to_owned()))
    }

    /// Carries out a call of a customer.
    pub async fn carry_out(
        &self,
        count: &Count,
        call: Call,
        correction: Correction,
        limit: SecondLimit,
    ) -> RedisResult<Reply> {
        let mut script = CALL.key(format!("sports:month:{{{}}}:{}", count.customer, count.month));
        script.key(format!("sports:second:{{{}}}", count.customer)).key(self.mark());
        script.arg(self.number).arg(limit.per_second.get());
        match call.operation {
            Operation::Admit(most) => script.arg(most.min(Self::UNLIMITED)),
            Operation::AdmitUncounted => script.arg("uncounted"),
            Operation::Correct => script.arg("correct"),
        };
        let Correction { owed, least, is_seed } = correction;
        script.arg(limit.moment(call.uptime)).arg(owed).arg(least).arg(u8::from(is_seed)).arg(Self::MONTH_LIFETIME);
        let reply: Vec<u64> = self.observed(script.invoke_async(&mut self.requests.clone())).await?;
        Ok(match reply[..] {
            [0, total] => Reply::Decided(Decision::Done(total)),
            [1, total] => Reply::Decided(Decision::SecondIsFull(total)),
            [2, total] => Reply::Decided(Decision::MonthIsFull(total)),
            [3, _] => Reply::NotSeeded,
            _ => Reply::MarkLost,
        })
    }

    /// Returns true if the month of a count was seeded on this connection.
    pub fn has_seeded(&self, count: &Count) -> bool {
        count.shared.seeded_on.load(Relaxed) == self.number
    }

    /// Admits a call of an address, if its second holds one more.
    pub async fn admits(&self, caller: CallerNetwork, uptime: Duration, limit: SecondLimit) -> RedisResult<bool> {
        let mut script = ADDRESS.key(format!("sports:second:{{{caller}}}"));
        script.arg(limit.per_second.get()).arg(limit.moment(uptime));
        self.observed(script.invoke_async(&mut self.requests.clone())).await
    }

    async fn observed<T>(&self, request: impl Future<Output = RedisResult<T>>) -> RedisResult<T> {
        observed(&self.observer, request, |_| true).await
    }

    fn mark(&self) -> String {
        format!("sports:process:{}", self.process)
    }
}

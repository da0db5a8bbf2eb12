use std::sync::LazyLock;

use redis::Script;

/// Admits a call of a customer, refuses it or refunds it.
pub static CALL: LazyLock<Script> =
    LazyLock::new(|| Script::new(concat!(include_str!("scripts/second.lua"), include_str!("scripts/call.lua"))));

/// Merges the known counts of a customer's month.
pub static MERGE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/merge.lua")));

/// Admits a call from an address or refuses it.
pub static ADDRESS: LazyLock<Script> =
    LazyLock::new(|| Script::new(concat!(include_str!("scripts/second.lua"), include_str!("scripts/address.lua"))));

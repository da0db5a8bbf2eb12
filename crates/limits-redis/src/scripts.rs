use std::sync::LazyLock;

use redis::Script;

/// Admits calls of a customer, refuses them or gives them back, in turn.
pub static CALLS: LazyLock<Script> =
    LazyLock::new(|| Script::new(concat!(include_str!("scripts/second.lua"), include_str!("scripts/calls.lua"))));

/// Brings what is known of a customer's month together.
pub static MERGE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/merge.lua")));

/// Admits a call from an address or refuses it.
pub static ADDRESS: LazyLock<Script> =
    LazyLock::new(|| Script::new(concat!(include_str!("scripts/second.lua"), include_str!("scripts/address.lua"))));

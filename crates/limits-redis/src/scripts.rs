use std::sync::LazyLock;

use redis::Script;

/// Admits a call or refuses it.
pub static ADMIT: LazyLock<Script> =
    LazyLock::new(|| Script::new(concat!(include_str!("scripts/second.lua"), include_str!("scripts/admit.lua"))));

/// Gives a call back.
pub static GIVE_BACK: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/give_back.lua")));

/// Brings what is known of a customer's month together.
pub static MERGE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/merge.lua")));

/// Admits a call from an address or refuses it.
pub static ADDRESS: LazyLock<Script> =
    LazyLock::new(|| Script::new(concat!(include_str!("scripts/second.lua"), include_str!("scripts/address.lua"))));

use std::num::NonZeroU32;

use sports_accounts::Limits;

#[derive(Debug, Clone, Copy)]
pub struct CallLimits {
    /// The limits of a customer.
    pub customer: Limits,
    /// The calls of an address without a key, within any one second.
    pub public_per_second: NonZeroU32,
}

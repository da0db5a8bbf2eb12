use sports_ports::PortError;

/// The number of rows of each kind in a target after a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    pub customers: usize,
    /// Keys, active or not.
    pub keys: usize,
    /// Counts of a customer and month.
    pub counts: usize,
    /// Numbers of refreshes of a customer and month.
    pub refreshes: usize,
    /// Rights to datasets, in force or not.
    pub entitlements: usize,
    /// Files on sale.
    pub datasets: usize,
    pub secrets: usize,
    /// Entries of the audit log.
    pub audit_log: usize,
}

/// The reason why nothing was copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The target holds what the source does not.
    #[error("the target holds other data, and nothing was copied: {0}; name an empty database with --to")]
    OtherData(String),
    /// Servers have counted calls in the target.
    #[error(
        "the target is served already: it holds calls that the source does not know, so nothing was copied; copy into an \
         empty database, and serve it after the last copy"
    )]
    Served,
    /// The source cannot be read.
    #[error("the source cannot be read")]
    Source(#[source] PortError),
    /// The target cannot be written.
    #[error("the target cannot be written, and is as it was")]
    Target(#[source] PortError),
}

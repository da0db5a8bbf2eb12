#![doc = include_str!("../README.md")]

mod content;
mod game_prices;
mod key_ring;
mod lookups;
mod record_files;
mod results;
mod season_views;

pub use content::ContentCache;
pub use game_prices::CachedGamePrices;
pub use key_ring::CachedKeyRing;
pub use lookups::Lookups;
pub use record_files::CachedRecordFiles;
pub use results::CachedResults;
pub use season_views::CachedSeasonViews;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use sports_ports::{PortError, error_chain};

/// Returns an error that several concurrent readers receive.
fn shared(error: Arc<PortError>) -> PortError {
    match *error {
        PortError::Unavailable { port, .. } => PortError::unavailable(port, Shared(error)),
        PortError::Corrupt { port, .. } => PortError::corrupt(port, Shared(error)),
    }
}

/// The causes of an error that several readers receive: in one line as its text, and as its source.
#[derive(Debug)]
struct Shared(Arc<PortError>);

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source().map_or(Ok(()), |source| f.write_str(&error_chain(source)))
    }
}

impl Error for Shared {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_error_has_each_cause_once_and_unchanged() {
        let refused = || std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let error = shared(Arc::new(PortError::unavailable("the store", refused())));
        assert_eq!(error_chain(&error), format!("the store is unavailable: {}", refused()));
        let mut causes = std::iter::successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source());
        assert!(causes.any(<dyn Error>::is::<std::io::Error>));
    }
}

use std::error::Error;

/// Why a port could not answer. Absence is never an error: it is `Ok(None)`.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// The other side cannot be reached or refuses to work; the same question may succeed later.
    #[error("{port} is unavailable")]
    Unavailable {
        /// Which port.
        port: &'static str,
        /// What the adapter met.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The other side answered with something that cannot be what was stored there.
    #[error("{port} holds something unreadable")]
    Corrupt {
        /// Which port.
        port: &'static str,
        /// What the adapter met.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl PortError {
    /// The other side of `port` cannot be reached or refuses to work.
    pub fn unavailable(port: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable { port, source: source.into() }
    }

    /// The other side of `port` answered with something that cannot be what was stored there.
    pub fn corrupt(port: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Corrupt { port, source: source.into() }
    }
}

/// An error and what caused it, in one line, for logs and terminals.
#[must_use]
pub fn in_one_line(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_every_cause_once() {
        let error = PortError::unavailable("the store", std::io::Error::other("no route"));
        assert_eq!(in_one_line(&error), "the store is unavailable: no route");
    }
}

use std::error::Error;

/// A failure of a port. Absence is never an error: it is `Ok(None)`.
#[derive(Debug, thiserror::Error)]
pub enum PortError {
    /// The other side cannot be reached or refuses to work; a retry may succeed.
    #[error("{port} is unavailable")]
    Unavailable {
        /// The name of the port.
        port: &'static str,
        /// The adapter's error.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The other side returned data that cannot be what was stored.
    #[error("{port} holds something unreadable")]
    Corrupt {
        /// The name of the port.
        port: &'static str,
        /// The adapter's error.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl PortError {
    /// Creates an error for a port whose other side cannot be reached or refuses to work.
    pub fn unavailable(port: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Unavailable { port, source: source.into() }
    }

    /// Creates an error for a port whose other side returned data that cannot be what was stored.
    pub fn corrupt(port: &'static str, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Corrupt { port, source: source.into() }
    }
}

/// Formats an error and its causes in one line, for logs and terminals. Each cause appears once, although some
/// libraries' errors repeat theirs.
pub fn error_chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        append(&mut text, &error.to_string());
        cause = error.source();
    }
    text
}

/// Appends a cause, without the part that the text already contains.
fn append(text: &mut String, cause: &str) {
    if text.contains(cause) {
        return;
    }
    let ends = std::iter::once(0).chain(text.match_indices(": ").map(|(at, separator)| at + separator.len()));
    let repeated = ends.map(|from| &text[from..]).find(|end| cause.starts_with(end)).map_or(0, str::len);
    if repeated == 0 {
        text.push_str(": ");
    }
    text.push_str(&cause[repeated..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_every_cause_once() {
        let error = PortError::unavailable("the store", std::io::Error::other("no route"));
        assert_eq!(error_chain(&error), "the store is unavailable: no route");
    }

    /// An error with its message and its causes, outermost first.
    #[derive(Debug)]
    struct Causes(&'static [&'static str]);

    impl std::fmt::Display for Causes {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.0[0])
        }
    }

    impl Error for Causes {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            // The leak is limited to the few errors of one test.
            (self.0.len() > 1).then(|| &*Box::leak(Box::new(Self(&self.0[1..]))) as _)
        }
    }

    #[test]
    fn a_cause_that_an_error_repeats_itself_is_not_repeated_again() {
        let table: [(&[&str], &str); 6] = [
            (&["cannot open x", "disk: full", "full"], "cannot open x: disk: full"),
            (&["disk: full", "full"], "disk: full"),
            (&["cannot open x", "cannot open x: full"], "cannot open x: full"),
            (&["a: b", "b: c", "c"], "a: b: c"),
            (&["the store is unavailable", "unavailable too long"], "the store is unavailable: unavailable too long"),
            (&["a", "", "b"], "a: b"),
        ];
        for (chain, line) in table {
            assert_eq!(error_chain(&Causes(chain)), line);
        }
    }
}

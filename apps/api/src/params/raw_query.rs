use actix_web::web::Query;

/// A query string as names and values, decoded, in its order.
#[derive(Debug, Default)]
pub struct RawQuery(Vec<(String, String)>);

impl RawQuery {
    /// Parses a query string. Any text is valid.
    pub fn parse(query: &str) -> Self {
        if query.is_empty() {
            return Self::default();
        }
        // Form decoding does not fail: text that cannot be decoded is kept unchanged.
        Self(Query::from_query(query).map(Query::into_inner).unwrap_or_default())
    }

    /// Returns the first value of `name`.
    pub fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of `name`, if it is given once.
    pub fn only(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(given, _)| given == name);
        values.next().filter(|_| values.next().is_none()).map(|(_, value)| value.as_str())
    }

    /// Returns the names and values in their order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

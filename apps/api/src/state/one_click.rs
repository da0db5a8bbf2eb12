use std::sync::{Mutex, PoisonError};

use sports_domain::content::ObjectHash;

/// A key that is given out once, for its token.
pub struct OneClick(Mutex<Option<Waiting>>);

/// A key that was not given out yet. Tokens are compared by their hashes, so the time of a refusal is the same for all.
struct Waiting {
    token: ObjectHash,
    key: String,
}

impl OneClick {
    /// Creates the exchange of this token for this key.
    pub fn new(token: &str, key: &str) -> Self {
        let token = ObjectHash::from_bytes(token.as_bytes());
        Self(Mutex::new(Some(Waiting { token, key: key.to_owned() })))
    }

    /// Gives out the key, if this is its token and it was not given out before.
    pub(crate) fn exchange(&self, token: &str) -> Option<String> {
        let token = ObjectHash::from_bytes(token.as_bytes());
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.take_if(|waiting| waiting.token == token).map(|waiting| waiting.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_given_out_once_and_for_its_token_alone() {
        let one_click = OneClick::new("the token", "the key");
        assert_eq!(one_click.exchange("another"), None);
        assert_eq!(one_click.exchange("the token").as_deref(), Some("the key"));
        assert_eq!(one_click.exchange("the token"), None);
    }
}

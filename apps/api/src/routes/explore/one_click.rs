//! The way into the page of a demo with one click: the printed address has a token, which is exchanged for the key once.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use actix_web::HttpRequest;
use actix_web::web::Data;
use serde::{Deserialize, Serialize};
use sports_content::ObjectHash;

use crate::auth::PublicCaller;
use crate::error::ApiError;
use crate::json::{Fields, JsonBody, Unstored};
use crate::params::Params;

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
    fn exchange(&self, token: &str) -> Option<String> {
        let token = ObjectHash::from_bytes(token.as_bytes());
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.take_if(|waiting| waiting.token == token).map(|waiting| waiting.key)
    }
}

/// The token from the address.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Token {
    token: String,
}

impl Fields for Token {
    const FIELDS: &'static str = "`token`";
}

/// The key of the demo.
#[derive(Serialize)]
pub(super) struct Key {
    api_key: String,
}

/// Exchanges the token for the key. Only a demo has one, and only for programs on its own machine.
pub(super) async fn exchange(
    _caller: PublicCaller,
    _params: Params<()>,
    request: HttpRequest,
    body: JsonBody<Token>,
    one_click: Option<Data<OneClick>>,
) -> Result<Unstored<Key>, ApiError> {
    let is_near = request.peer_addr().as_ref().map(SocketAddr::ip).is_some_and(|address| address.is_loopback());
    let one_click = one_click.filter(|_| is_near).ok_or(ApiError::NoSuchPath)?;
    let used = "This address was used before, or the demo was started again: use the printed key";
    let api_key = one_click.exchange(&body.0.token).ok_or_else(|| ApiError::Forbidden(used.to_owned()))?;
    Ok(Unstored(Key { api_key }))
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

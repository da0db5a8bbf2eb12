use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::digest::Key;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use sports_accounts::WebhookSecret;

/// Returns the header `webhook-signature` of a message: `v1,` and the HMAC-SHA256 of its id, its time and its body in Base64, as
/// [Standard Webhooks](https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md) says. The time is
/// in seconds since 1970.
pub fn signature(secret: &WebhookSecret, id: &str, timestamp: i64, body: &str) -> String {
    // HMAC pads keys with zeros to the length of a block.
    let mut key = Key::<Hmac<Sha256>>::default();
    key[..secret.bytes().len()].copy_from_slice(secret.bytes());
    let mut mac = Hmac::<Sha256>::new(&key);
    for part in [id, ".", &timestamp.to_string(), ".", body] {
        mac.update(part.as_bytes());
    }
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by Python: `hmac.new(bytes(range(32)), b"msg_1.1700000000." + body, "sha256")`.
    #[test]
    fn the_signature_is_that_of_another_program() {
        let mut key = [0; 32];
        key.iter_mut().zip(0..).for_each(|(byte, place)| *byte = place);
        let secret = WebhookSecret::from_random(key);
        let body = r#"{"type":"test"}"#;
        assert_eq!(signature(&secret, "msg_1", 1_700_000_000, body), "v1,Sd1eZeq9dRAkhuhKIQFBq4Ht8dNNGGGC2csjXSNSSYk=");
    }
}

//! Download links that the service serves itself, signed with its secret.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use hmac::digest::Key;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use sports_accounts::Download;
use sports_ports::PortError;
use sports_ports::datasets::{DownloadLink, LinkError, LinkSigner, SignedLink};

/// A signer of download links with a secret, which also verifies its own links.
#[derive(Clone)]
pub struct HmacSigner {
    keyed: Hmac<Sha256>,
}

impl HmacSigner {
    /// Creates a signer with this secret, which must be too long to guess.
    pub fn new(secret: &[u8]) -> Self {
        let mut key = Key::<Hmac<Sha256>>::default();
        let digest = Sha256::digest(secret);
        key[..digest.len()].copy_from_slice(&digest);
        Self { keyed: Hmac::new(&key) }
    }

    /// Returns the signed link for a download.
    pub fn signed(&self, download: &Download) -> DownloadLink {
        let unsigned = DownloadLink::from_download(download, String::new());
        let signature = hex::encode(self.mac(&unsigned).finalize().into_bytes());
        DownloadLink { signature, ..unsigned }
    }

    /// Returns the MAC over every part of a link except the signature.
    fn mac(&self, link: &DownloadLink) -> Hmac<Sha256> {
        let DownloadLink { product, sport, object, file_name, bytes, customer, expires, signature: _ } = link;
        let mut mac = self.keyed.clone();
        // No part contains a line break, so different links never have the same text.
        for part in ["download", product, sport, object, file_name, bytes, customer, expires] {
            mac.update(part.as_bytes());
            mac.update(b"\n");
        }
        mac
    }
}

impl std::fmt::Debug for HmacSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HmacSigner(*****)")
    }
}

#[async_trait]
impl LinkSigner for HmacSigner {
    async fn sign(&self, download: &Download) -> Result<SignedLink, PortError> {
        Ok(SignedLink::Here(self.signed(download).path_and_query()))
    }

    fn open(&self, link: &DownloadLink, now: DateTime<Utc>) -> Result<Download, LinkError> {
        let download = described(link).ok_or(LinkError::Forged)?;
        let signature = hex::decode(&link.signature).map_err(|_| LinkError::Forged)?;
        let ours = DownloadLink::from_download(&download, hex::encode(&signature));
        self.mac(&ours).verify_slice(&signature).map_err(|_| LinkError::Forged)?;
        // A link has one spelling: `NFL`, `+900` or a signature in capitals was not issued by this signer.
        if ours != *link {
            return Err(LinkError::Forged);
        }
        if now < download.expires_at { Ok(download) } else { Err(LinkError::Expired) }
    }
}

/// Returns the download that a link describes, without verifying its signature; `None` if a part is malformed.
fn described(link: &DownloadLink) -> Option<Download> {
    Some(Download {
        customer: link.customer.parse().ok()?,
        product: link.product.parse().ok()?,
        sport: link.sport.parse().ok()?,
        object: link.object.parse().ok()?,
        file_name: link.file_name.parse().ok()?,
        bytes: link.bytes.parse().ok()?,
        expires_at: DateTime::from_timestamp(link.expires.parse().ok()?, 0)?,
    })
}

use chrono::DateTime;
use sports_accounts::Download;

/// A link taken apart into the texts it is made of, believed by nobody yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadLink {
    /// The product in its path.
    pub product: String,
    /// The league in its path.
    pub sport: String,
    /// The object in its path.
    pub object: String,
    /// The file name in its path.
    pub file_name: String,
    /// The object's size in its query, in bytes.
    pub bytes: String,
    /// The customer in its query.
    pub customer: String,
    /// Its end in its query, in Unix seconds.
    pub expires: String,
    /// What vouches for all of that, in hexadecimal digits.
    pub signature: String,
}

/// A part of a link that no link of ours has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a part of the link cannot be read")]
pub struct NotALink;

impl DownloadLink {
    /// A download written as a link, without the signature.
    pub(crate) fn unsigned(download: &Download) -> Self {
        Self {
            product: download.product.to_string(),
            sport: download.sport.code().to_owned(),
            object: download.object.to_string(),
            file_name: download.file_name.to_string(),
            bytes: download.bytes.to_string(),
            customer: download.customer.to_string(),
            expires: download.expires_at.timestamp().to_string(),
            signature: String::new(),
        }
    }

    /// The path and query that carry it. Every part is made of characters that need no escape.
    #[must_use]
    pub fn path_and_query(&self) -> String {
        let Self { product, sport, object, file_name, bytes, customer, expires, signature } = self;
        format!(
            "/downloads/{product}/{sport}/{object}/{file_name}\
             ?bytes={bytes}&customer={customer}&expires={expires}&signature={signature}"
        )
    }

    /// What the link permits, if it can be trusted.
    pub(crate) fn download(&self) -> Result<Download, NotALink> {
        let seconds = self.expires.parse().map_err(|_| NotALink)?;
        Ok(Download {
            customer: self.customer.parse().map_err(|_| NotALink)?,
            product: self.product.parse().map_err(|_| NotALink)?,
            sport: self.sport.parse().map_err(|_| NotALink)?,
            object: self.object.parse().map_err(|_| NotALink)?,
            file_name: self.file_name.parse().map_err(|_| NotALink)?,
            bytes: self.bytes.parse().map_err(|_| NotALink)?,
            expires_at: DateTime::from_timestamp(seconds, 0).ok_or(NotALink)?,
        })
    }
}

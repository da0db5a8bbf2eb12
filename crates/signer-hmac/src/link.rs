use chrono::DateTime;
use sports_accounts::Download;
use sports_ports::datasets::DownloadLink;

/// Returns the download that a link describes, without verifying its signature; `None` if a part is malformed.
pub(crate) fn download(link: &DownloadLink) -> Option<Download> {
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

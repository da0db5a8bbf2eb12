//! Where a store that speaks S3 is asked, as variables name it.

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use reqwest::Url;

use crate::OpenError;

/// The variables that name an endpoint; of two that are set, the first counts.
const ENDPOINTS: [(AmazonS3ConfigKey, &str); 2] =
    [(AmazonS3ConfigKey::S3Endpoint, "AWS_ENDPOINT_URL_S3"), (AmazonS3ConfigKey::Endpoint, "AWS_ENDPOINT_URL")];

/// The endpoint that a client will ask, if variables name one. It is shown in messages and is part of the links that
/// customers receive.
pub fn checked(builder: &AmazonS3Builder) -> Result<Option<String>, OpenError> {
    let named = ENDPOINTS.iter().find_map(|(key, name)| Some((*name, builder.get_config_value(key)?)));
    let Some((name, endpoint)) = named else { return Ok(None) };
    let unusable = |reason| Err(OpenError::Variable { name, reason });
    let Ok(url) = Url::parse(&endpoint) else { return Ok(Some(endpoint)) };
    if !url.username().is_empty() || url.password().is_some() {
        return unusable("it has credentials in it: give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return unusable("nothing may follow its path: remove `?` or `#` and what comes after");
    }
    Ok(Some(endpoint))
}

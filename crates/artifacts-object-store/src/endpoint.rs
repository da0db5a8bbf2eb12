//! Checks of the endpoint and credentials of an S3 client, as configured by variables.

use object_store::ClientConfigKey;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use reqwest::Url;

use crate::OpenError;

/// The variables that name an endpoint. The first one that is set applies.
const ENDPOINTS: [(AmazonS3ConfigKey, &str); 2] =
    [(AmazonS3ConfigKey::S3Endpoint, "AWS_ENDPOINT_URL_S3"), (AmazonS3ConfigKey::Endpoint, "AWS_ENDPOINT_URL")];

/// Returns the endpoint of the client, if a variable names one. It is shown in messages and is part of customers'
/// download links.
pub fn configured(builder: &AmazonS3Builder) -> Result<Option<String>, OpenError> {
    let named = ENDPOINTS.iter().find_map(|(key, name)| Some((*name, builder.get_config_value(key)?)));
    let Some((name, endpoint)) = named else { return Ok(None) };
    let unusable = |reason| Err(OpenError::Variable { name, reason });
    let Some(url) = Url::parse(&endpoint).ok().filter(|url| matches!(url.scheme(), "http" | "https")) else {
        return unusable("it must be http:// or https:// and a host, such as https://store.example:9000");
    };
    if !url.username().is_empty() || url.password().is_some() {
        return unusable("it has credentials in it: give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return unusable("nothing may follow its path: remove `?` or `#` and what comes after");
    }
    if !endpoint.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/[]%".contains(&byte)) {
        return unusable("a character of it is no part of an address, such as a space or the end of a line: remove it");
    }
    if url.scheme() == "http" && is_encryption_required(builder) {
        let name = "AWS_ALLOW_HTTP";
        let reason = "it is not `true`, and the endpoint begins with http://, which has no encryption: set it to `true`, \
                      or name an https:// endpoint";
        return Err(OpenError::Variable { name, reason });
    }
    Ok(Some(endpoint))
}

/// Returns `true` if the client would refuse an endpoint without encryption. The client itself rejects values that
/// are neither yes nor no.
fn is_encryption_required(builder: &AmazonS3Builder) -> bool {
    let allowed = builder.get_config_value(&AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp));
    let no = ["false", "0", "off", "no", "n"];
    allowed.is_none_or(|allowed| no.contains(&allowed.to_ascii_lowercase().as_str()))
}

/// The variables that are sent in headers of requests, or that sign them.
const IN_HEADERS: [(AmazonS3ConfigKey, &str); 4] = [
    (AmazonS3ConfigKey::AccessKeyId, "AWS_ACCESS_KEY_ID"),
    (AmazonS3ConfigKey::SecretAccessKey, "AWS_SECRET_ACCESS_KEY"),
    (AmazonS3ConfigKey::Token, "AWS_SESSION_TOKEN"),
    (AmazonS3ConfigKey::Region, "AWS_REGION"),
];

/// Refuses credentials and regions that are not valid in headers, because the client would panic.
pub fn check_headers(builder: &AmazonS3Builder) -> Result<(), OpenError> {
    let is_visible = |value: &str| value.bytes().all(|byte| byte.is_ascii_graphic());
    for (key, name) in IN_HEADERS {
        if builder.get_config_value(&key).is_some_and(|value| !is_visible(&value)) {
            let reason = "it has a space, the end of a line or another character that no key has: remove it, and where \
                          the value comes from a file, the end of the file's line";
            return Err(OpenError::Variable { name, reason });
        }
    }
    Ok(())
}

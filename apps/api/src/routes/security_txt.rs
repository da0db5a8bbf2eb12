//! The file by which a service names to whom vulnerabilities are reported (RFC 9116). It is no operation, so the document does not
//! list it.

use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::web::ServiceConfig;
use chrono::Days;

use crate::auth::Anyone;
use crate::error::ApiError;
use crate::operation::undocumented;
use crate::state::State;

/// The path of the file.
pub(crate) const PATH: &str = "/.well-known/security.txt";

/// The time for which a copy is valid, in days. It is to be less than a year.
const VALID: Days = Days::new(90);

pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(undocumented(Method::GET, PATH, file));
}

async fn file(_caller: Anyone, state: State) -> Result<HttpResponse, ApiError> {
    let contact = state.site.security_contact.as_ref().ok_or(ApiError::NoSuchPath)?;
    let mut lines: Vec<_> = contact.addresses().iter().map(|address| format!("Contact: {address}")).collect();
    lines.push((state.clock.now() + VALID).format("Expires: %FT00:00:00Z\n").to_string());
    Ok(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(lines.join("\n")))
}

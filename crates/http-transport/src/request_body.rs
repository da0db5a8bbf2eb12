use std::sync::Arc;

use actix_web::body::BoxBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, ContentEncoding, HeaderMap, TRANSFER_ENCODING, UPGRADE,
};
use actix_web::http::{ConnectionType, Method};
use actix_web::web::Data;
use actix_web::{HttpMessage, HttpRequest, HttpResponse};
use bytes::BytesMut;
use futures::StreamExt;

use crate::connection::Connection;
use crate::limits::BODY;
use crate::refusal::Refusal;
use crate::tally::Tally;

/// Receives the body of a request before any route runs. So no route reads more than the limit, and no body stays unread on
/// its connection.
///
/// # Errors
///
/// [`Refusal`] of a body that is too large, encoded, late or malformed.
pub async fn receive_body(request: &mut ServiceRequest) -> Result<(), Refusal> {
    let payload = request.take_payload();
    if matches!(payload, Payload::None) {
        return Ok(());
    }
    if opens_a_tunnel(request) {
        // All further input would be its body. The response is as without a body, and the connection closes.
        close_after_this(request);
        return Ok(());
    }
    if is_encoded(request.headers()) {
        return Err(Refusal::EncodedBody);
    }
    if announced_length(request.headers()).is_some_and(|length| length > BODY) {
        return Err(Refusal::BodyTooLarge);
    }
    let body = match connection(request) {
        Some(connection) => connection.receive_body(whole(payload)).await.unwrap_or(Err(Refusal::TooSlow)),
        None => whole(payload).await,
    };
    request.set_payload(Payload::from(body?.freeze()));
    Ok(())
}

/// Returns the response to a refused body, which `error` describes. The connection closes, so that no rest of the body is read
/// as another request.
pub fn refuse_body(
    request: ServiceRequest,
    refusal: Refusal,
    error: impl Into<actix_web::Error>,
) -> ServiceResponse<BoxBody> {
    close_after_this(&request);
    if matches!(refusal, Refusal::Malformed | Refusal::TooSlow)
        && let Some(tally) = request.app_data::<Data<Tally>>()
    {
        tally.count_malformed();
    }
    let mut response = request.error_response(error);
    response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    response
}

/// Makes a response the last one on its connection.
pub fn close_after<B>(request: &HttpRequest, response: &mut HttpResponse<B>) {
    if let Some(connection) = request.conn_data::<Arc<Connection>>() {
        connection.close_after_response();
    }
    response.head_mut().set_connection_type(ConnectionType::Close);
}

async fn whole(mut payload: Payload) -> Result<BytesMut, Refusal> {
    let mut body = BytesMut::new();
    while let Some(bytes) = payload.next().await {
        // The body ended early, or a chunk has an unreadable length.
        let bytes = bytes.map_err(|_| Refusal::Malformed)?;
        if body.len() + bytes.len() > BODY {
            return Err(Refusal::BodyTooLarge);
        }
        body.extend_from_slice(&bytes);
    }
    Ok(body)
}

fn connection(request: &ServiceRequest) -> Option<&Arc<Connection>> {
    request.conn_data::<Arc<Connection>>()
}

fn close_after_this(request: &ServiceRequest) {
    if let Some(connection) = connection(request) {
        connection.close_after_response();
    }
}

/// Returns true if the library takes all further input for the body.
fn opens_a_tunnel(request: &ServiceRequest) -> bool {
    let is_websocket = |value: &[u8]| value.trim_ascii().eq_ignore_ascii_case(b"websocket");
    let headers = request.headers();
    let is_upgrade = request.method() == Method::CONNECT
        || headers.get_all(UPGRADE).any(|protocol| is_websocket(protocol.as_bytes()));
    is_upgrade && !headers.contains_key(TRANSFER_ENCODING)
}

/// Returns true if the body has a content encoding other than `identity`.
fn is_encoded(headers: &HeaderMap) -> bool {
    let identity = ContentEncoding::Identity.as_str().as_bytes();
    let is_identity = |encoding: &[u8]| encoding.is_empty() || encoding.eq_ignore_ascii_case(identity);
    let mut encodings =
        headers.get_all(CONTENT_ENCODING).flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    !encodings.all(|encoding| is_identity(encoding.trim_ascii()))
}

fn announced_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

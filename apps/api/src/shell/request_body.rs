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

use crate::connections::{Connection, Tally};
use crate::error::ApiError;
use crate::limits::BODY;

/// Receives the body of a request, whatever it asks for, before anything looks at it. So no route reads more than a body
/// may have, and none leaves one unread on its connection.
pub(super) async fn receive(request: &mut ServiceRequest) -> Result<(), ApiError> {
    let payload = request.take_payload();
    if matches!(payload, Payload::None) {
        return Ok(());
    }
    if opens_a_tunnel(request) {
        // Everything that follows would be its body. It is answered as if it had none, and then closed.
        close_after_this(request);
        return Ok(());
    }
    if is_encoded(request.headers()) {
        return Err(ApiError::EncodedBody);
    }
    if announced(request.headers()).is_some_and(|length| length > BODY) {
        return Err(ApiError::BodyTooLarge);
    }
    let body = match connection(request) {
        Some(connection) => connection.awaiting_body(whole(payload)).await.unwrap_or(Err(ApiError::TooSlow)),
        None => whole(payload).await,
    };
    request.set_payload(Payload::from(body?.freeze()));
    Ok(())
}

/// The answer to a body that was refused. What may still come of it is not read as another request.
pub(super) fn refuse(request: ServiceRequest, refusal: ApiError) -> ServiceResponse<BoxBody> {
    close_after_this(&request);
    if matches!(refusal, ApiError::Malformed | ApiError::TooSlow)
        && let Some(tally) = request.app_data::<Data<Tally>>()
    {
        tally.malformed_request();
    }
    let mut response = request.error_response(refusal);
    response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    response
}

/// Has this answer be the last one on its connection.
pub(super) fn close_after<B>(request: &HttpRequest, response: &mut HttpResponse<B>) {
    if let Some(connection) = request.conn_data::<Arc<Connection>>() {
        connection.close_after_this();
    }
    response.head_mut().set_connection_type(ConnectionType::Close);
}

async fn whole(mut payload: Payload) -> Result<BytesMut, ApiError> {
    let mut body = BytesMut::new();
    while let Some(bytes) = payload.next().await {
        // It ended early, or its chunks have no length that can be read.
        let bytes = bytes.map_err(|_| ApiError::Malformed)?;
        if body.len() + bytes.len() > BODY {
            return Err(ApiError::BodyTooLarge);
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
        connection.close_after_this();
    }
}

/// Whether the library takes all that follows for the body.
fn opens_a_tunnel(request: &ServiceRequest) -> bool {
    let is_websocket = |value: &[u8]| value.trim_ascii().eq_ignore_ascii_case(b"websocket");
    let headers = request.headers();
    let is_upgrade = request.method() == Method::CONNECT
        || headers.get_all(UPGRADE).any(|protocol| is_websocket(protocol.as_bytes()));
    is_upgrade && !headers.contains_key(TRANSFER_ENCODING)
}

/// Whether a body would have to be inflated: there is any encoding but `identity`, which is none.
fn is_encoded(headers: &HeaderMap) -> bool {
    let identity = ContentEncoding::Identity.as_str().as_bytes();
    let is_identity = |encoding: &[u8]| encoding.is_empty() || encoding.eq_ignore_ascii_case(identity);
    let mut encodings =
        headers.get_all(CONTENT_ENCODING).flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    !encodings.all(|encoding| is_identity(encoding.trim_ascii()))
}

fn announced(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

use actix_web::HttpRequest;

use crate::error::ApiError;
use crate::state::State;

/// Responds to requests without a route: 405 if the path has other methods, else 404.
pub(crate) async fn no_such_path(request: HttpRequest, state: State) -> Result<&'static str, ApiError> {
    Err(match state.interface.methods.allowed(request.path()) {
        Some(allow) => ApiError::MethodNotAllowed { allow: allow.to_owned() },
        None => state.interface.methods.nearest(request.path()).map_or(ApiError::NoSuchPath, ApiError::NearPath),
    })
}

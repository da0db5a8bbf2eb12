use actix_web::http::header::HeaderValue;

use super::known_params::KnownParams;
use super::methods::Methods;
use super::{Document, Routes, document};
use crate::caching::File;

/// The routes of an application, and what follows from their document.
pub struct Interface {
    pub(crate) routes: Routes,
    /// The document as a file.
    pub(crate) document: File,
    /// The parameters that some operation takes.
    pub(crate) params: KnownParams,
    /// The methods of each path.
    pub(crate) methods: Methods,
}

impl Interface {
    /// Describes these routes and the paths that the document leaves out; browsers send `OPTIONS` to `preflighted`.
    pub(crate) fn new(routes: Routes, undocumented: &[&str], preflighted: &str) -> Self {
        let document = document(routes);
        let text = Document::from_document(&document).bytes().clone();
        Self {
            routes,
            document: File::new("openapi.json", HeaderValue::from_static("application/json"), text),
            params: KnownParams::documented(&document.paths),
            methods: Methods::new(&document.paths, undocumented, preflighted),
        }
    }
}

//! The client, made of the document beside the manifest.

progenitor::generate_api!(spec = "openapi-3.0.json", interface = Builder);

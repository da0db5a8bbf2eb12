use std::collections::BTreeSet;

use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, ParameterIn, Paths};

/// Every query parameter that some operation of the API takes.
#[derive(Debug)]
pub struct KnownParams(BTreeSet<String>);

impl KnownParams {
    /// Collects the parameters that the document describes.
    pub fn documented(paths: &Paths) -> Self {
        let items = paths.paths.values();
        let operations =
            items.flat_map(|item| [&item.get, &item.post, &item.put, &item.patch, &item.delete].into_iter().flatten());
        Self(operations.flat_map(document_known).map(str::to_owned).collect())
    }

    /// Returns the known parameter of that name, in any letter case.
    pub(crate) fn find(&self, name: &str) -> Option<&str> {
        self.names().find(|known| known.eq_ignore_ascii_case(name))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Returns the query parameters that the document describes for an operation.
pub(crate) fn document_known(operation: &Operation) -> impl Iterator<Item = &str> {
    operation.parameters.iter().flatten().filter_map(|parameter| match parameter {
        RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query => Some(parameter.name.as_str()),
        _ => None,
    })
}

#[cfg(test)]
impl KnownParams {
    pub(crate) fn named(names: &[&str]) -> Self {
        Self(names.iter().map(|&name| name.to_owned()).collect())
    }
}

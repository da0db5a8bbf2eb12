use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use sports_domain::{ModelColumn, ModelName};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::codes::Code;

/// The points of each model that has any, by the model's name, in the order of the names.
#[derive(Debug)]
pub struct PointsByModel<P>(BTreeMap<ModelName, Vec<P>>);

impl<P> PointsByModel<P> {
    /// Returns true if no model has a point.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<P: Serialize> Serialize for PointsByModel<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(model, points)| (Code(*model), points)))
    }
}

impl<P> FromIterator<(ModelName, Vec<P>)> for PointsByModel<P> {
    fn from_iter<I: IntoIterator<Item = (ModelName, Vec<P>)>>(curves: I) -> Self {
        Self(curves.into_iter().collect())
    }
}

impl<P: ToSchema> PartialSchema for PointsByModel<P> {
    fn schema() -> RefOr<Schema> {
        let points = || ArrayBuilder::new().items(Ref::from_schema_name(P::name()));
        let models = ModelColumn::ALL.into_iter();
        let described = ObjectBuilder::new().description(Some("Points by model; a model without any is left out."));
        let described = described.additional_properties(Some(points()));
        models.fold(described, |object, model| object.property(model.name(), points())).into()
    }
}

impl<P: ToSchema> ToSchema for PointsByModel<P> {
    fn name() -> Cow<'static, str> {
        format!("{}sByModel", P::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((P::name().into_owned(), P::schema()));
        P::schemas(schemas);
    }
}

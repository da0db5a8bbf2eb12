use sports_strategies::{ParameterForm, RuleParameter};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

use crate::error::ApiError;
use crate::params::{FromParams, RawQuery};
use crate::paths::Segments;

/// The parameters of a rule as they were given, for the parser of rules.
#[derive(Debug)]
pub struct RuleQuery(Vec<(String, String)>);

impl RuleQuery {
    /// Returns the names and values in their order.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }
}

impl FromParams for RuleQuery {
    fn names() -> Vec<&'static str> {
        RuleParameter::ALL.iter().map(|parameter| parameter.name).collect()
    }

    fn described() -> Vec<Parameter> {
        RuleParameter::ALL.iter().map(described).collect()
    }

    fn read(query: &RawQuery, _: Segments<'_>) -> Result<Self, ApiError> {
        let of_rule = |name: &str| RuleParameter::ALL.iter().any(|parameter| parameter.name == name);
        let pairs = query.pairs().filter(|(name, _)| of_rule(name));
        Ok(Self(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()))
    }
}

fn described(parameter: &RuleParameter) -> Parameter {
    let of_type = |schema_type| ObjectBuilder::new().schema_type(schema_type);
    let schema = match parameter.form {
        ParameterForm::Text => of_type(Type::String),
        ParameterForm::Date => of_type(Type::String).format(Some(SchemaFormat::KnownFormat(KnownFormat::Date))),
        ParameterForm::Number(least, most) => of_type(Type::Number)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Double)))
            .minimum(Some(least))
            .maximum(Some(most)),
        ParameterForm::Whole(least, most) => of_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(least).filter(|least| *least > i32::MIN))
            .maximum(Some(most).filter(|most| *most < i32::MAX)),
        ParameterForm::Words(words) => of_type(Type::String).enum_values(Some(words.iter().copied())),
    };
    ParameterBuilder::new()
        .name(parameter.name)
        .parameter_in(ParameterIn::Query)
        .description(Some(format!("{}.", parameter.help)))
        .schema(Some(schema))
        .build()
}

use std::collections::BTreeSet;

use sports_domain::{ModelColumn, ModelName, ModelSet};
use sports_performance::Summarised;
use sports_usecases::analytics::ListedModels;

use super::Given;
use crate::error::ApiError;
use crate::query_params;

query_params! {
    /// The model of an answer.
    #[derive(Debug, Clone, Copy)]
    pub struct ModelQuery {
        /// The model whose probabilities the answer uses, by its exact name; the market's default if absent, which is
        /// the league's headline model, else BLEND where it has values. `GET /api/v1/models/{sport}` lists a league's models, and
        /// the default of each market in `headlines`.
        #[param(value_type = Option<String>)]
        pub model: Option<ModelName> = model,
    }
}

fn model(given: Given<'_>) -> Result<Option<ModelName>, ApiError> {
    let model = given.parse("the name of a model", |text| text.parse::<ModelName>().ok())?;
    let refused = |reason| Err(ApiError::bad_parameter("model", reason));
    match model {
        Some(name) if name.column() == Some(ModelColumn::Implied) => {
            refused("a model: IMPLIED is the market's probability")
        }
        Some(name) if name.as_str() == Summarised::Ensemble.name() => refused("a model: ENSEMBLE has no probability"),
        _ => Ok(model),
    }
}

query_params! {
    /// The models that an answer lists.
    #[derive(Debug, Clone)]
    pub struct ModelsQuery {
        /// The models to list, by their exact names, separated by commas; all if absent. The others are left out, which
        /// changes no figure.
        #[param(value_type = Option<String>)]
        pub models: ListedModels = models,
    }
}

/// The most models in a list: all of a season, IMPLIED and ENSEMBLE.
const MOST_LISTED: usize = ModelColumn::ALL.len() + ModelSet::MOST + 1;

fn models(given: Given<'_>) -> Result<ListedModels, ApiError> {
    let models = given.parse("names separated by commas, each once", |text| {
        let names: Vec<ModelName> = text.split(',').map(|name| name.parse().ok()).collect::<Option<_>>()?;
        let listed: BTreeSet<_> = names.iter().copied().collect();
        (listed.len() == names.len()).then_some(listed)
    })?;
    match models {
        Some(listed) if listed.len() > MOST_LISTED => {
            Err(ApiError::bad_parameter("models", &format!("at most {MOST_LISTED} names")))
        }
        listed => Ok(listed.map_or_else(ListedModels::default, ListedModels::Named)),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;
    use crate::params::{FromParams, RawQuery};
    use crate::paths::Segments;

    fn refusal<T: FromParams>(query: &str) -> Option<String> {
        let request = TestRequest::default().to_http_request();
        T::read(&RawQuery::parse(query), Segments::of(&request)).err().map(|error| error.to_string())
    }

    #[test]
    fn a_model_is_named_exactly_and_has_a_probability() {
        for query in ["", "model=ELO", "model=BLEND", "model=nn_v2"] {
            assert_eq!(refusal::<ModelQuery>(query), None, "{query}");
        }
        for query in ["model=", "model=FOO!", "model=2nd", "model=ELO,BLEND"] {
            assert_eq!(refusal::<ModelQuery>(query).as_deref(), Some("`model` must be the name of a model"), "{query}");
        }
        let implied = "`model` must be a model: IMPLIED is the market's probability";
        assert_eq!(refusal::<ModelQuery>("model=IMPLIED").as_deref(), Some(implied));
        let ensemble = "`model` must be a model: ENSEMBLE has no probability";
        assert_eq!(refusal::<ModelQuery>("model=ENSEMBLE").as_deref(), Some(ensemble));
    }

    #[test]
    fn a_list_of_models_has_each_name_once() {
        for query in ["", "models=ELO", "models=ELO,BLEND,IMPLIED,ENSEMBLE"] {
            assert_eq!(refusal::<ModelsQuery>(query), None, "{query}");
        }
        let names = |count: usize| (0..count).map(|number| format!("m{number}")).collect::<Vec<_>>().join(",");
        assert_eq!(refusal::<ModelsQuery>(&format!("models={}", names(42))), None);
        let too_many = refusal::<ModelsQuery>(&format!("models={}", names(43)));
        assert_eq!(too_many.as_deref(), Some("`models` must be at most 42 names"));
        for list in ["", "ELO,", "ELO,,BLEND", "ELO,ELO", "ELO BLEND"] {
            let expected = "`models` must be names separated by commas, each once";
            assert_eq!(refusal::<ModelsQuery>(&format!("models={list}")).as_deref(), Some(expected), "{list}");
        }
    }
}

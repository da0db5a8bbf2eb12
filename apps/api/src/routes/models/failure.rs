use sports_usecases::chosen_models::NoSuchModel;

use crate::error::ApiError;

impl From<NoSuchModel> for ApiError {
    fn from(NoSuchModel { sport, name, known }: NoSuchModel) -> Self {
        let names: Vec<_> = known.iter().map(ToString::to_string).collect();
        let meant = names.iter().find(|known| known.eq_ignore_ascii_case(name.as_str()));
        let hint = meant.map(|meant| format!(" (did you mean `{meant}`?)")).unwrap_or_default();
        Self::NotFound(format!("{sport} has no model {name}; it has {}{hint}", names.join(", ")))
    }
}

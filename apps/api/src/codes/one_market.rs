//! Model types of answers about one market alone: constants in the document, by which clients distinguish such
//! answers.

use std::borrow::Cow;
use std::iter::once;

use sports_domain::ModelType;

use super::{Code, Coded};

macro_rules! only {
    ($(#[$doc:meta])+ $code:ident, $only:ident, $model_type:expr) => {
        $(#[$doc])+
        pub type $code = Code<$only>;

        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $only;

        impl $only {
            /// The model type.
            pub const MODEL_TYPE: ModelType = $model_type;
        }

        impl Coded for $only {
            const SCHEMA: &'static str = stringify!($code);
            const DESCRIPTION: &'static str = "The model type.";

            fn values() -> impl Iterator<Item = Self> {
                once(Self)
            }

            fn text(self) -> Cow<'static, str> {
                Self::MODEL_TYPE.code().into()
            }
        }
    };
}

only! {
    /// The model type of totals.
    TotalModelTypeCode, TotalModelType, ModelType::OverUnder
}

only! {
    /// The model type of moneylines.
    MoneylineModelTypeCode, MoneylineModelType, ModelType::WonOnPoints
}

only! {
    /// The model type of spreads.
    SpreadModelTypeCode, SpreadModelType, ModelType::WonOnSpread
}

use std::fmt;

/// A parameter of a rule by its name, with the normal form of its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The name, such as `min_edge`.
    pub name: &'static str,
    /// The value, with numbers in their shortest form.
    pub value: String,
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

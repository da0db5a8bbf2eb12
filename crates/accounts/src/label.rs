use sports_domain::Label;

/// The name that a customer gave a key.
pub type KeyName = Label<64>;

/// The name of the person or company behind an account.
pub type CustomerName = Label<100>;

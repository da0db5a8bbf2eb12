//! Customers and their keys.

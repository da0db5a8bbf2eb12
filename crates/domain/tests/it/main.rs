//! Tests of pages.

mod filters;
mod pages;

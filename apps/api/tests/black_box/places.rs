//! The place of the sites of these tests: one machine, with a folder.

use sports_testkit::programs::TestFolder;

/// Creates a place for a new site.
pub fn fresh() -> TestFolder {
    TestFolder::fresh()
}

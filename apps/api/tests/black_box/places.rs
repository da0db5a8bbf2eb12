//! The place of the sites of these tests: one machine, with a folder.

use std::path::PathBuf;

use sports_testkit::programs::TestFolder;

/// Creates a place for a new site.
pub fn fresh() -> TestFolder {
    TestFolder::fresh()
}

/// Returns the folder with the files of a site's store.
pub fn store(place: &TestFolder) -> PathBuf {
    place.store()
}

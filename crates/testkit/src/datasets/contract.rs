//! The contract suites of [`Datasets`], [`Entitlements`], [`Refreshes`], [`DatasetFiles`] and [`LinkSigner`], one
//! function per promise.
//!
//! Every function of records takes empty records, and panics if a promise is broken.
#![expect(clippy::missing_panics_doc, reason = "that is how every function here reports")]

mod entitlements;
mod files;
mod links;
mod manifest;
mod refreshes;

pub use entitlements::*;
pub use files::*;
pub use links::*;
pub use manifest::*;
pub use refreshes::*;
use sports_ports::accounts::Customers;
use sports_ports::datasets::{DatasetFiles, Datasets, Entitlements, LinkSigner, Refreshes};

/// Runs every check of records, each on new ones from `fresh`.
pub async fn records<Records>(fresh: impl AsyncFn() -> Records)
where
    Records: Customers + Datasets + Entitlements + Refreshes,
{
    an_added_dataset_is_listed_as_it_was(&fresh().await).await;
    datasets_are_listed_by_product_league_and_name(&fresh().await).await;
    a_dataset_replaces_its_namesake(&fresh().await).await;
    a_removed_dataset_is_gone_and_no_other(&fresh().await).await;

    a_granted_entitlement_is_listed_as_it_was(&fresh().await).await;
    a_second_grant_replaces_the_first(&fresh().await).await;
    an_unknown_customer_is_granted_nothing(&fresh().await).await;
    an_entitlement_is_revoked_once(&fresh().await).await;
    one_customers_entitlements_do_not_affect_another(&fresh().await).await;

    refreshes_are_taken_up_to_the_limit(&fresh().await).await;
    a_refresh_that_is_given_back_can_be_taken_again(&fresh().await).await;
    refreshes_start_anew_each_month_for_each_customer(&fresh().await).await;
    racing_refreshes_with_one_left_have_one_winner(&fresh().await).await;
}

/// Runs every check of files.
pub async fn files(files: &impl DatasetFiles) {
    a_file_reads_back_whole_and_in_part(files).await;
    the_same_bytes_have_the_same_name(files).await;
    an_object_that_was_never_put_is_absent(files).await;
    a_file_that_is_not_there_is_not_stored(files).await;
    a_large_file_reads_back_in_order(files).await;
}

/// Runs every check of a signer that has signed nothing yet.
pub async fn links(signer: &impl LinkSigner) {
    an_unsigned_link_opens_nothing(signer);
    a_link_opens_what_it_was_signed_for_until_its_end(signer).await;
    a_changed_link_opens_nothing(signer).await;
}

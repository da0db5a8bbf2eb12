//! Tests of signed links: a link opens what it was signed for, until its end, and nothing else.

use chrono::TimeDelta;
use proptest::prelude::*;
use sports_accounts::testing::{a_customer, a_dataset, second};
use sports_accounts::{Download, LINK_LIFETIME};
use sports_ports::datasets::{DownloadLink, LinkError, LinkSigner, SignedLink};
use sports_store::HmacSigner;
use sports_testkit::datasets::contract;

const SECRET: &str = "a secret that only the service knows";

fn signer(secret: &str) -> HmacSigner {
    HmacSigner::new(secret.as_bytes())
}

fn a_download() -> Download {
    Download::for_customer(&a_dataset().build(), a_customer().build().id, second(0))
}

/// Returns the parts of a link, as in a request.
fn parts(link: &DownloadLink) -> [String; 8] {
    let DownloadLink { product, sport, object, file_name, bytes, customer, expires, signature } = link.clone();
    [product, sport, object, file_name, bytes, customer, expires, signature]
}

fn from_parts([product, sport, object, file_name, bytes, customer, expires, signature]: [String; 8]) -> DownloadLink {
    DownloadLink { product, sport, object, file_name, bytes, customer, expires, signature }
}

/// The expected signature was computed with OpenSSL:
/// `key=$(printf '%s' "$SECRET" | openssl dgst -sha256 -r | cut -d' ' -f1)` and then
/// `printf 'download\nhistorical-odds\nnfl\n…\n9\n…\n1746101700\n' | openssl dgst -sha256 -mac HMAC -macopt
/// hexkey:$key`.
#[test]
fn a_link_has_every_part_and_the_signature_of_another_program() {
    let link = signer(SECRET).signed(&a_download());
    let object = "603519f60151f52b806ac5dfe16e5337ebb05844e5044b2b0e1106a7280abee2";
    let signature = "bf7a0254dafe89d278f746aefa778cc6375442fdb52fb226cddcc8ccb2315895";
    let expected = format!(
        "/downloads/historical-odds/nfl/{object}/nfl.csv\
         ?bytes=9&customer=cus_040g2081040g2081&expires=1746101700&signature={signature}"
    );
    assert_eq!(link.path_and_query(), expected);
}

#[tokio::test]
async fn the_signer_keeps_the_contract() {
    contract::links(&signer(SECRET)).await;
}

#[test]
fn a_link_opens_what_it_was_signed_for_until_its_end() {
    let (signer, download) = (signer(SECRET), a_download());
    let link = signer.signed(&download);
    for now in [second(-60), second(0), second(0) + LINK_LIFETIME - TimeDelta::microseconds(1)] {
        assert_eq!(signer.open(&link, now), Ok(download.clone()), "{now}");
    }
    for now in [second(0) + LINK_LIFETIME, second(1_000_000)] {
        assert_eq!(signer.open(&link, now), Err(LinkError::Expired), "{now}");
    }
}

#[test]
fn another_services_link_opens_nothing() {
    let link = signer("a secret of another service altogether").signed(&a_download());
    assert_eq!(signer(SECRET).open(&link, second(0)), Err(LinkError::Forged));
}

#[test]
fn a_forged_link_is_not_called_expired() {
    let mut link = signer(SECRET).signed(&a_download());
    link.expires = "1".to_owned();
    assert_eq!(signer(SECRET).open(&link, second(0)), Err(LinkError::Forged));
}

#[test]
fn a_link_has_one_spelling() {
    let link = signer(SECRET).signed(&a_download());
    let others = [
        DownloadLink { sport: "NFL".to_owned(), ..link.clone() },
        DownloadLink { bytes: format!("0{}", link.bytes), ..link.clone() },
        DownloadLink { expires: format!("+{}", link.expires), ..link.clone() },
        DownloadLink { expires: format!("0{}", link.expires), ..link.clone() },
        DownloadLink { signature: link.signature.to_uppercase(), ..link.clone() },
        DownloadLink { signature: link.signature[..62].to_owned(), ..link.clone() },
        DownloadLink { signature: String::new(), ..link.clone() },
    ];
    for other in others {
        assert_eq!(signer(SECRET).open(&other, second(0)), Err(LinkError::Forged), "{other:?}");
    }
}

#[tokio::test]
async fn the_port_returns_a_path_on_this_service() {
    let signer = signer(SECRET);
    let link = signer.sign(&a_download()).await.expect("signs");
    assert_eq!(link, SignedLink::Here(signer.signed(&a_download()).path_and_query()));
}

#[test]
fn debug_output_masks_the_secret() {
    assert_eq!(format!("{:?}", signer(SECRET)), "HmacSigner(*****)");
}

proptest! {
    /// Changes one character anywhere in a link.
    #[test]
    fn a_changed_link_opens_nothing(part in 0..8_usize, place in 0..64_usize, wrong in "[ -~]") {
        let mut parts = parts(&signer(SECRET).signed(&a_download()));
        let place = place % parts[part].len();
        prop_assume!(parts[part][place..=place] != wrong);
        parts[part].replace_range(place..=place, &wrong);
        prop_assert_eq!(signer(SECRET).open(&from_parts(parts), second(0)), Err(LinkError::Forged));
    }

    /// Opens links of arbitrary texts, which must be refused without a panic.
    #[test]
    fn texts_that_were_not_signed_are_refused(texts in proptest::array::uniform8(".{0,80}")) {
        prop_assert_eq!(signer(SECRET).open(&from_parts(texts), second(0)), Err(LinkError::Forged));
    }
}

use chrono::TimeDelta;
use sports_accounts::testing::{a_customer, a_dataset, second};
use sports_accounts::{Download, LINK_LIFETIME};
use sports_ports::datasets::{DownloadLink, LinkError, LinkSigner, SignedLink};

fn a_download() -> Download {
    Download::for_customer(&a_dataset().build(), a_customer().build().id, second(0))
}

/// Signs a link and splits it like a request; `None` if the signer's links point to another service.
async fn a_link(signer: &impl LinkSigner) -> Option<DownloadLink> {
    let SignedLink::Here(link) = signer.sign(&a_download()).await.expect("sign answers") else { return None };
    let (path, query) = link.split_once('?').expect("a query");
    let path: Vec<_> = path.strip_prefix("/downloads/").expect("the path of downloads").split('/').collect();
    let [product, sport, object, file_name] = path[..] else { panic!("four parts: {path:?}") };
    let value = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).expect(name).1.to_owned()
    };
    Some(DownloadLink {
        product: product.to_owned(),
        sport: sport.to_owned(),
        object: object.to_owned(),
        file_name: file_name.to_owned(),
        bytes: value("bytes"),
        customer: value("customer"),
        expires: value("expires"),
        signature: value("signature"),
    })
}

/// Checks that a link is valid up to its last instant, and expired at its end.
pub async fn a_link_opens_what_it_was_signed_for_until_its_end(signer: &impl LinkSigner) {
    let Some(link) = a_link(signer).await else { return };
    for now in [second(0), second(0) + LINK_LIFETIME - TimeDelta::microseconds(1)] {
        assert_eq!(signer.open(&link, now), Ok(a_download()), "{now}");
    }
    for now in [second(0) + LINK_LIFETIME, second(1_000_000)] {
        assert_eq!(signer.open(&link, now), Err(LinkError::Expired), "{now}");
    }
}

/// Checks that any changed part makes a link forged, before and after its end.
pub async fn a_changed_link_opens_nothing(signer: &impl LinkSigner) {
    let Some(link) = a_link(signer).await else { return };
    let changed = |part: &str| format!("{part}0");
    let others = [
        DownloadLink { product: changed(&link.product), ..link.clone() },
        DownloadLink { sport: "nba".to_owned(), ..link.clone() },
        DownloadLink { object: link.object.chars().rev().collect(), ..link.clone() },
        DownloadLink { file_name: changed(&link.file_name), ..link.clone() },
        DownloadLink { bytes: changed(&link.bytes), ..link.clone() },
        DownloadLink { customer: link.customer.replace("cus_0", "cus_1"), ..link.clone() },
        DownloadLink { expires: changed(&link.expires), ..link.clone() },
        DownloadLink { signature: changed(&link.signature), ..link.clone() },
    ];
    for other in others {
        assert_ne!(other, link);
        for now in [second(0), second(1_000_000)] {
            assert_eq!(signer.open(&other, now), Err(LinkError::Forged), "{other:?}");
        }
    }
}

/// Checks that a download with an invented signature is forged.
pub fn an_unsigned_link_opens_nothing(signer: &impl LinkSigner) {
    for signature in ["", "00"] {
        let made_up = DownloadLink::from_download(&a_download(), signature.to_owned());
        assert_eq!(signer.open(&made_up, second(0)), Err(LinkError::Forged), "{made_up:?}");
    }
}

//! Others who attest to the time of the record: witnesses and timestamp servers.

use std::fmt;
use std::str::FromStr;

use sports_domain::FormError;
use sports_domain::check_visible;
use sports_transparency::VerifierKey;

use crate::settings::connection_url::ServiceUrl;

/// A witness: its key, and the address below which it takes checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessAddress {
    /// The key.
    pub key: VerifierKey,
    /// The address.
    pub url: ServiceUrl,
}

/// A list of witnesses, each as `VKEY@URL`, separated by commas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Witnesses(Vec<WitnessAddress>);

/// A list of addresses of web services, separated by commas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ServiceUrls(Vec<ServiceUrl>);

impl Witnesses {
    /// Parses a list; the error is the reason for which the text is no list.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let list = parts(text).map(str::parse).collect::<Result<Vec<WitnessAddress>, _>>()?;
        let keys: Vec<_> = list.iter().map(|witness| &witness.key).collect();
        if has_twice(&keys) { Err("each witness once; one is named twice".to_owned()) } else { Ok(Self(list)) }
    }

    /// Returns true if the list is empty.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the witnesses.
    pub fn as_slice(&self) -> &[WitnessAddress] {
        &self.0
    }
}

impl ServiceUrls {
    /// Parses a list; the error is the reason for which the text is no list.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        let list = parts(text).map(read_address).collect::<Result<Vec<_>, _>>()?;
        let addresses: Vec<_> = list.iter().map(ServiceUrl::as_str).collect();
        if has_twice(&addresses) { Err("each address once; one is named twice".to_owned()) } else { Ok(Self(list)) }
    }

    /// Returns true if the list is empty.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the addresses.
    pub fn as_slice(&self) -> &[ServiceUrl] {
        &self.0
    }
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

fn has_twice<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().any(|(place, item)| items[..place].contains(item))
}

fn read_address(text: &str) -> Result<ServiceUrl, String> {
    ServiceUrl::new(text, &ServiceUrl::WEB).map_err(|error| error.to_string())
}

impl FromStr for WitnessAddress {
    type Err = String;

    /// Parses `VKEY@URL`; the error is the reason for which the text is none.
    fn from_str(text: &str) -> Result<Self, String> {
        // The name of a key may have an @, too.
        let split = ServiceUrl::WEB.iter().filter_map(|scheme| text.rfind(&format!("@{scheme}:"))).max();
        let Some(split) = split else {
            return Err("VKEY@URL for each witness, the key and the address, separated by commas".to_owned());
        };
        let (key, url) = (&text[..split], &text[split + 1..]);
        let key: VerifierKey = key.parse().map_err(|error: FormError| format!("the vkey of a witness; {error}"))?;
        if !key.kind().is_witness() {
            return Err("the vkey of a witness, of type 4 or 6; this is the key of a log".to_owned());
        }
        check_visible(key.name().as_str())
            .map_err(|hidden| format!("the vkey of a witness, with a name without {hidden}"))?;
        Ok(Self { key, url: read_address(url)? })
    }
}

impl fmt::Display for Witnesses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<_> = self.0.iter().map(|witness| format!("{}@{}", witness.key, witness.url)).collect();
        f.write_str(&items.join(", "))
    }
}

impl fmt::Display for ServiceUrls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<_> = self.0.iter().map(ServiceUrl::as_str).collect();
        f.write_str(&items.join(", "))
    }
}

use sports_http_transport::ComputeQueue;
use sports_program::settings::{
    Accent, Contact, PublicRecords, SecurityContact, ServiceUrl, Settings, SettingsError, SiteName,
};
use sports_transparency::VerifierKey;

use super::one_click::OneClick;
use crate::page::Page;

/// What the operator of the server states about it.
pub struct Site {
    /// The first sentence of the root, about the data.
    pub message: String,
    /// The way to reach the operator, who gives out keys.
    pub contact: Option<Contact>,
    /// To whom vulnerabilities are reported.
    pub security_contact: Option<SecurityContact>,
    /// The open parts of the leagues' records.
    pub public_records: PublicRecords,
    /// The address of the service; there is one if a record is open.
    pub public_url: Option<ServiceUrl>,
    /// The name of the publisher's site.
    pub name: Option<SiteName>,
    /// The colour of its marks.
    pub accent: Option<Accent>,
    /// The page for people.
    pub page: Page,
    /// The witnesses whose cosignatures a reader may trust.
    pub witnesses: Vec<VerifierKey>,
    /// The settings with which a protection has little effect.
    pub warnings: Vec<String>,
    /// The exchange of a token for the key of a demo.
    pub one_click: Option<OneClick>,
}

impl Site {
    /// The sentence about the data of a server that is no demo.
    pub const MESSAGE: &str = "Sports model data. Model outputs are research signals, not a validated betting selector, \
                               and no edge is guaranteed.";

    /// Creates the statements of these settings.
    ///
    /// # Errors
    ///
    /// [`SettingsError::BadLogo`] if the file of the logo is no picture.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingsError> {
        Ok(Self {
            message: Self::MESSAGE.to_owned(),
            contact: settings.http.contact.clone(),
            security_contact: settings.http.security_contact.clone(),
            public_records: settings.record.public.clone(),
            public_url: settings.http.public_url.clone(),
            name: settings.site.name.clone(),
            accent: settings.site.accent,
            page: Page::from_settings(settings)?,
            witnesses: settings.record.witnesses.as_slice().iter().map(|witness| witness.key.clone()).collect(),
            warnings: settings.warnings(ComputeQueue::cores()),
            one_click: None,
        })
    }

    /// Logs the warnings.
    pub(crate) fn warn(&self) {
        for warning in &self.warnings {
            tracing::warn!("{warning}");
        }
    }
}

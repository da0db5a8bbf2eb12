use der::Decode as _;
use der::asn1::ObjectIdentifier;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, TrustAnchor, UnixTime};
use webpki::{ALL_VERIFICATION_ALGS, EndEntityCert, KeyUsage as Usage, anchor_from_trusted_cert};
use x509_cert::Certificate;
use x509_cert::ext::pkix::{BasicConstraints, ExtendedKeyUsage, KeyUsage};

use super::Untrusted;

const TIME_STAMPING: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.8");
const ANY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37.0");

/// The roots of public authorities that ship with this crate.
const BUNDLED: &[u8] = include_bytes!("bundled.pem");

/// A timestamp authority, or several that count as one, by certificates: roots, intermediate ones, or those that sign.
#[derive(Debug)]
pub struct Authority(Vec<(CertificateDer<'static>, Certificate)>);

/// The reason for which a file has no certificate of a timestamp authority.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAuthority {
    /// The file has no certificate.
    #[error("it has no certificate: expected one or more in PEM (-----BEGIN CERTIFICATE-----)")]
    Unreadable,
    /// A certificate is for something else.
    #[error(
        "its certificate of {0} is for something else than timestamps: name the root certificate that the timestamp authority publishes"
    )]
    OtherUsage(String),
}

impl Authority {
    /// The length of the longest file of certificates that is read.
    pub const LIMIT: u64 = 1 << 20;

    /// Reads certificates in PEM, or one in DER.
    ///
    /// # Errors
    ///
    /// [`NoAuthority`] if there is none, or one of them cannot be used for timestamps.
    pub fn read(bytes: &[u8]) -> Result<Self, NoAuthority> {
        let in_pem: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(bytes).collect();
        let mut found = in_pem.map_err(|_| NoAuthority::Unreadable)?;
        if found.is_empty() {
            found.push(CertificateDer::from(bytes.to_vec()));
        }
        let read = |der: CertificateDer<'static>| match Certificate::from_der(&der) {
            Ok(certificate) if may_lead_to_timestamps(&certificate) => Ok((der, certificate)),
            Ok(other) => Err(NoAuthority::OtherUsage(other.tbs_certificate.subject.to_string())),
            Err(_) => Err(NoAuthority::Unreadable),
        };
        found.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the public authorities whose roots ship with this crate, which count as one.
    pub fn bundled() -> Self {
        Self::read(BUNDLED).unwrap_or(Self(Vec::new()))
    }

    /// Returns `true` if both have a certificate.
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().any(|(own, _)| other.0.iter().any(|(other, _)| own == other))
    }

    /// Verifies the certificate of a signer for timestamps at a time, with the other certificates of its token.
    pub(super) fn verify(
        &self,
        certificate: &Certificate,
        der: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        time: UnixTime,
    ) -> Result<(), Untrusted> {
        if !is_for_timestamps(certificate) {
            return Err(Untrusted::Usage);
        }
        let is_valid = |trusted: &Certificate| {
            let validity = &trusted.tbs_certificate.validity;
            let [from, to] = [validity.not_before, validity.not_after].map(|time| time.to_unix_duration().as_secs());
            (from..=to).contains(&time.as_secs())
        };
        let valid: Vec<_> =
            self.0.iter().filter(|(_, trusted)| is_valid(trusted)).map(|(trusted, _)| trusted).collect();
        if valid.contains(&der) {
            return Ok(());
        }
        let anchors: Vec<TrustAnchor<'_>> = valid.iter().filter_map(|der| anchor_from_trusted_cert(der).ok()).collect();
        let end = EndEntityCert::try_from(der).map_err(Untrusted::Chain)?;
        let usage = Usage::required_if_present(TIME_STAMPING.as_bytes());
        let path = end.verify_for_usage(ALL_VERIFICATION_ALGS, &anchors, others, time, usage, None, None);
        path.map(drop).map_err(Untrusted::Chain)
    }
}

/// Returns `true` for the certificate of an authority, unless it is for something else, and for one that signs timestamps.
fn may_lead_to_timestamps(certificate: &Certificate) -> bool {
    let own = &certificate.tbs_certificate;
    match own.get::<ExtendedKeyUsage>() {
        Ok(Some((_, usage))) => usage.0.contains(&TIME_STAMPING) || usage.0.contains(&ANY_USAGE),
        Ok(None) => matches!(own.get::<BasicConstraints>(), Ok(Some((_, constraints))) if constraints.ca),
        Err(_) => false,
    }
}

/// Returns `true` if a certificate is one for timestamps and nothing else, and says so critically (RFC 3161, 2.3).
fn is_for_timestamps(certificate: &Certificate) -> bool {
    let own = &certificate.tbs_certificate;
    let is_alone = matches!(own.get::<ExtendedKeyUsage>(), Ok(Some((true, usage))) if usage.0 == [TIME_STAMPING]);
    let may_sign = match own.get::<KeyUsage>() {
        Ok(None) => true,
        Ok(Some((_, usage))) => usage.digital_signature() || usage.non_repudiation(),
        Err(_) => false,
    };
    is_alone && may_sign
}

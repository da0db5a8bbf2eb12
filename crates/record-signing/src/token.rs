//! Tokens of timestamp authorities (RFC 3161), verified against the certificates of authorities that a reader trusts.

mod authority;

use std::time::Duration;

use chrono::NaiveDateTime;
use cms::cert::CertificateChoices;
use cms::content_info::ContentInfo;
use cms::signed_data::{SignedData, SignerIdentifier, SignerInfo};
use der::asn1::{BitString, Int, ObjectIdentifier, OctetString};
use der::{Any, Decode, DecodeOwned, Encode, Sequence, Tag, Tagged};
use ring::digest::{self, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA384, SHA512};
use rustls::pki_types::{CertificateDer, UnixTime};
use webpki::{ALL_VERIFICATION_ALGS, EndEntityCert};
use x509_cert::Certificate;
use x509_cert::ext::Extensions;
use x509_cert::ext::pkix::SubjectKeyIdentifier;
use x509_cert::spki::AlgorithmIdentifierOwned;

pub use authority::{Authority, NoAuthority};

const SIGNED_DATA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");
const TST_INFO: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");
const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
/// The attributes that name the certificate of the signer, each with the algorithm of its hash (RFC 5035).
const SIGNING_CERTIFICATE: [(ObjectIdentifier, &digest::Algorithm); 2] = [
    (ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.12"), &SHA1_FOR_LEGACY_USE_ONLY),
    (ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.47"), &SHA256),
];

/// A token of a text. Its signature is yet to be verified.
#[derive(Debug)]
pub struct Token {
    signed: SignedData,
    content: OctetString,
    time: GenTime,
}

/// The time that a token states.
#[derive(Debug, Clone, Copy)]
struct GenTime {
    /// The second, rounded down: certificates have to be valid then.
    second: u64,
    /// The second by which the text was there, whatever the accuracy.
    latest: u64,
}

/// The reason for which a file is not a token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAToken {
    /// The file is too long.
    #[error("it has more than {} KiB, and a timestamp has less than 10: name a file that the service or the publisher gave", Token::LIMIT >> 10)]
    TooLong,
    /// The file is something else.
    #[error("it is not the reply of a timestamp authority (RFC 3161, a .tsr file)")]
    Malformed,
    /// The authority refused.
    #[error("it is a refusal of the authority, with the status {0}")]
    NotGranted(u32),
    /// The token is of another text.
    #[error(
        "it is a timestamp of another checkpoint: name one of those that the service or the publisher names for this proof"
    )]
    OtherText,
}

/// The reason for which a token is no evidence for somebody who trusts an authority.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Untrusted {
    /// The signer is missing, or named by something else than its certificate.
    #[error("it has not one signer with a certificate")]
    NoSigner,
    /// The signature is not one of the token's content by its certificate.
    #[error("its signature does not hold")]
    Broken,
    /// The certificate of the signer is for something else.
    #[error("its certificate is not one for timestamps alone (extended key usage timeStamping)")]
    Usage,
    /// The certificate is none of the authority's, or was not valid.
    #[error("no valid chain leads from its certificate, at the time of the token, to one that you named: {0}")]
    Chain(webpki::Error),
}

impl Token {
    /// The length of the longest reply that is read.
    pub const LIMIT: usize = 256 << 10;

    /// Reads the reply of an authority, and compares it with the text that it is to be of. No signature is verified.
    ///
    /// # Errors
    ///
    /// [`NotAToken`] if it is none, or one of another text.
    pub fn read(reply: &[u8], text: &str) -> Result<Self, NotAToken> {
        if reply.len() > Self::LIMIT {
            return Err(NotAToken::TooLong);
        }
        let Reply { status, token } = Reply::from_der(reply).map_err(|_| NotAToken::Malformed)?;
        // 1 is granted with modifications.
        if status.code > 1 {
            return Err(NotAToken::NotGranted(status.code));
        }
        let (signed, content, info) = token.as_ref().and_then(content_of).ok_or(NotAToken::Malformed)?;
        let time = GenTime::of(&info).ok_or(NotAToken::Malformed)?;
        let algorithm = digest_algorithm(info.imprint.algorithm.oid).ok_or(NotAToken::OtherText)?;
        if digest::digest(algorithm, text.as_bytes()).as_ref() != info.imprint.hash.as_bytes() {
            return Err(NotAToken::OtherText);
        }
        Ok(Self { signed, content, time })
    }

    /// Verifies the signature, and the chain of certificates that leads to an authority at the time of the token. Returns the
    /// second by which the authority had the text, since 1970: the time of the token and its accuracy, rounded up.
    ///
    /// # Errors
    ///
    /// [`Untrusted`] if anything does not hold.
    pub fn time_by(&self, authority: &Authority) -> Result<u64, Untrusted> {
        let [signer] = self.signed.signer_infos.0.as_slice() else { return Err(Untrusted::NoSigner) };
        let certificates = self.certificates();
        let certificate = certificates.iter().find(|found| is_of(signer, found)).ok_or(Untrusted::NoSigner)?;
        let der = |certificate: &Certificate| certificate.to_der().map(CertificateDer::from);
        let own = der(certificate).map_err(|_| Untrusted::NoSigner)?;
        let message = self.signed_message(signer, &own).ok_or(Untrusted::Broken)?;
        let end = EndEntityCert::try_from(&own).map_err(Untrusted::Chain)?;
        let holds = |algorithm| end.verify_signature(algorithm, &message, signer.signature.as_bytes()).is_ok();
        // Of an algorithm for another key, or with another hash, no signature holds.
        if !ALL_VERIFICATION_ALGS.iter().any(|algorithm| holds(*algorithm)) {
            return Err(Untrusted::Broken);
        }
        let time = UnixTime::since_unix_epoch(Duration::from_secs(self.time.second));
        let others: Vec<_> = certificates.iter().filter_map(|other| der(other).ok()).collect();
        authority.verify(certificate, &own, &others, time)?;
        Ok(self.time.latest)
    }

    fn certificates(&self) -> Vec<&Certificate> {
        let all = self.signed.certificates.iter().flat_map(|certificates| certificates.0.iter());
        all.filter_map(|choice| if let CertificateChoices::Certificate(found) = choice { Some(found) } else { None })
            .collect()
    }

    /// Returns the bytes that the signer signed, which are attributes; `None` if they are not those of the content and of the
    /// certificate.
    fn signed_message(&self, signer: &SignerInfo, certificate: &[u8]) -> Option<Vec<u8>> {
        let hash = digest::digest(digest_algorithm(signer.digest_alg.oid)?, self.content.as_bytes());
        let is_of_content = value::<ObjectIdentifier>(signer, CONTENT_TYPE)? == TST_INFO
            && value::<OctetString>(signer, MESSAGE_DIGEST)?.as_bytes() == hash.as_ref();
        let named = |(name, algorithm)| Some((value::<SigningCertificate>(signer, name)?, algorithm));
        let mut named = SIGNING_CERTIFICATE.into_iter().filter_map(named).peekable();
        named.peek()?;
        let names_it = named.all(|(named, algorithm)| named.names(certificate, algorithm));
        if is_of_content && names_it { signer.signed_attrs.as_ref()?.to_der().ok() } else { None }
    }
}

/// Reads the signed data of a token and its content.
fn content_of(token: &ContentInfo) -> Option<(SignedData, OctetString, TstInfo)> {
    let signed: SignedData = token.content.decode_as().ok().filter(|_| token.content_type == SIGNED_DATA)?;
    let content = &signed.encap_content_info;
    let octets = content.econtent.as_ref().filter(|_| content.econtent_type == TST_INFO)?;
    let octets: OctetString = octets.decode_as().ok()?;
    let info = TstInfo::from_der(octets.as_bytes()).ok()?;
    Some((signed, octets, info))
}

/// Returns the value of an attribute that the signer signed; `None` unless there is one.
fn value<T: DecodeOwned + Tagged + der::FixedTag>(signer: &SignerInfo, name: ObjectIdentifier) -> Option<T> {
    let mut named = signer.signed_attrs.as_ref()?.iter().filter(|attribute| attribute.oid == name);
    match (named.next()?.values.as_slice(), named.next()) {
        ([value], None) => T::from_der(&value.to_der().ok()?).ok(),
        _ => None,
    }
}

/// Returns `true` if a certificate is the one that a signer names.
fn is_of(signer: &SignerInfo, certificate: &Certificate) -> bool {
    let own = &certificate.tbs_certificate;
    match &signer.sid {
        SignerIdentifier::IssuerAndSerialNumber(named) => {
            named.issuer == own.issuer && named.serial_number == own.serial_number
        }
        SignerIdentifier::SubjectKeyIdentifier(named) => {
            matches!(own.get::<SubjectKeyIdentifier>(), Ok(Some((_, id))) if id == *named)
        }
    }
}

fn digest_algorithm(name: ObjectIdentifier) -> Option<&'static digest::Algorithm> {
    const NAMES: [(&str, &digest::Algorithm); 3] =
        [("2.16.840.1.101.3.4.2.1", &SHA256), ("2.16.840.1.101.3.4.2.2", &SHA384), ("2.16.840.1.101.3.4.2.3", &SHA512)];
    NAMES.into_iter().find(|(known, _)| name.to_string() == *known).map(|(_, algorithm)| algorithm)
}

// The structures of RFC 3161 and RFC 5035, which `der` decodes. Its own time has no fraction of a second, and those of
// some authorities do.

#[derive(Sequence)]
struct Reply {
    status: Status,
    #[asn1(optional = "true")]
    token: Option<ContentInfo>,
}

#[derive(Sequence)]
struct Status {
    code: u32,
    #[asn1(optional = "true")]
    text: Option<Vec<Any>>,
    #[asn1(optional = "true")]
    failure: Option<BitString>,
}

#[derive(Sequence)]
struct TstInfo {
    version: u8,
    policy: ObjectIdentifier,
    imprint: Imprint,
    serial_number: Int,
    time: Any,
    #[asn1(optional = "true")]
    accuracy: Option<Accuracy>,
    #[asn1(default = "Default::default")]
    ordering: bool,
    #[asn1(optional = "true")]
    nonce: Option<Int>,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    authority: Option<Any>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    extensions: Option<Extensions>,
}

#[derive(Sequence)]
struct Imprint {
    algorithm: AlgorithmIdentifierOwned,
    hash: OctetString,
}

#[derive(Default, Sequence)]
struct Accuracy {
    #[asn1(optional = "true")]
    seconds: Option<u32>,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", optional = "true")]
    millis: Option<u16>,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", optional = "true")]
    micros: Option<u16>,
}

#[derive(Sequence)]
struct SigningCertificate {
    certificates: Vec<CertificateName>,
    #[asn1(optional = "true")]
    policies: Option<Any>,
}

#[derive(Sequence)]
struct CertificateName {
    #[asn1(optional = "true")]
    algorithm: Option<AlgorithmIdentifierOwned>,
    hash: OctetString,
    #[asn1(optional = "true")]
    issuer: Option<Any>,
}

impl GenTime {
    /// Returns the time of a token; `None` for one before 1970, or in another form.
    fn of(info: &TstInfo) -> Option<Self> {
        let text = std::str::from_utf8(info.time.value()).ok().filter(|_| info.time.tag() == Tag::GeneralizedTime)?;
        let time = NaiveDateTime::parse_from_str(text, "%Y%m%d%H%M%S%.fZ").ok()?.and_utc();
        let second = u64::try_from(time.timestamp()).ok()?;
        let accuracy = info.accuracy.as_ref();
        let of = |part: fn(&Accuracy) -> u64| accuracy.map_or(0, part);
        let seconds = of(|accuracy| accuracy.seconds.unwrap_or_default().into());
        let micros = of(|accuracy| {
            u64::from(accuracy.millis.unwrap_or_default()) * 1_000 + u64::from(accuracy.micros.unwrap_or_default())
        });
        let rest = u64::from(time.timestamp_subsec_nanos()).div_ceil(1_000) + micros;
        Some(Self { second, latest: second + seconds + rest.div_ceil(1_000_000) })
    }
}

impl SigningCertificate {
    /// Returns `true` if the first name is that of a certificate. An algorithm that is not named is the default one.
    fn names(&self, certificate: &[u8], default: &'static digest::Algorithm) -> bool {
        let Some(CertificateName { algorithm, hash, .. }) = self.certificates.first() else { return false };
        let named = algorithm.as_ref().map_or(Some(default), |algorithm| digest_algorithm(algorithm.oid));
        named.is_some_and(|algorithm| digest::digest(algorithm, certificate).as_ref() == hash.as_bytes())
    }
}

//! Odds, predictions, first quotes and registries of models as stored objects.

use bytes::Bytes;
use sports_ports::publication::SlateCodec as _;
use sports_store::JsonSlates;

use crate::published;

/// Decodes any bytes as an artifact of the league. If this succeeds, the artifact encodes to the same bytes each
/// time, and these decode to an equal artifact.
pub fn decode(bytes: &[u8]) {
    let Some((sport, bytes)) = published::sport(bytes) else { return };
    let Ok(artifact) = JsonSlates.decode(sport, &Bytes::copy_from_slice(bytes)) else { return };
    let encoded = JsonSlates.encode(sport, &artifact).expect("what decodes encodes");
    assert_eq!(JsonSlates.encode(sport, &artifact).expect("what decodes encodes"), encoded, "encoded by other bytes");
    let again = JsonSlates.decode(sport, &encoded).expect("what was encoded decodes");
    assert_eq!(again, artifact, "decoded to another artifact");
}

/// A proof, and the codes that a verifier may return for it: 0 proven, 1 not proven, 3 logged.
#[derive(Debug, Clone)]
pub struct ProofVector {
    /// The peculiarity of the proof.
    pub name: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// The permitted codes. Of several, all verifiers return the same.
    pub codes: &'static [i32],
}

impl ProofVector {
    pub(super) fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>, codes: &'static [i32]) -> Self {
        Self { name: name.into(), bytes: bytes.into(), codes }
    }
}

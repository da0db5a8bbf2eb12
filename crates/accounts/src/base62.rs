const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Encodes a big-endian number in exactly `WIDTH` base-62 digits, with leading zeros.
///
/// The width must hold the number: 43 digits hold any 32 bytes (62^43 > 2^256), 6 hold any 4.
pub(crate) fn encode<const WIDTH: usize>(number: &[u8]) -> String {
    let mut digits = [0; WIDTH];
    for byte in number {
        // digits = digits * 256 + byte
        let mut carry = usize::from(*byte);
        for digit in digits.iter_mut().rev() {
            carry += *digit * 256;
            *digit = carry % ALPHABET.len();
            carry /= ALPHABET.len();
        }
        debug_assert_eq!(carry, 0, "{WIDTH} digits are too few");
    }
    digits.into_iter().map(|digit| char::from(ALPHABET[digit])).collect()
}

/// Returns `true` if the text has only characters that [`encode`] writes.
pub(crate) fn is_base62(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_are_encoded_as_by_hand() {
        let table: [(&[u8], &str); 6] = [
            (&[], "000000"),
            (&[0, 0, 0, 0], "000000"),
            (&[61], "00000z"),
            (&[62], "000010"),
            (&[1, 0], "000048"), // 256 = 4 * 62 + 8
            (&[0xff, 0xff, 0xff, 0xff], "4gfFC3"),
        ];
        for (number, text) in table {
            assert_eq!(encode::<6>(number), text);
        }
    }

    #[test]
    fn the_largest_key_body_fits_its_width() {
        assert_eq!(encode::<43>(&[0; 32]), "0".repeat(43));
        let largest = encode::<43>(&[0xff; 32]);
        assert_eq!(largest.len(), 43);
        assert_ne!(largest.as_bytes()[0], b'0', "42 digits would be too few");
    }
}

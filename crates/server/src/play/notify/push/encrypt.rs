//! Sealing what only one browser can open: RFC 8291, over RFC 8188.

use aes_gcm::aead::Aead;
use aes_gcm::{Aes128Gcm, KeyInit};
use hkdf::Hkdf;
use p256::elliptic_curve::sec1::ToEncodedPoint;
use p256::{PublicKey, SecretKey, ecdh};
use sha2::Sha256;

/// How long the browser's secret is.
pub(crate) const AUTH_BYTES: usize = 16;
/// How long a point of the curve is, unpacked.
const POINT_BYTES: usize = 65;
/// The size of a record; all there is fits into one.
const RECORD: u32 = 4_096;

/// Whether that can be a browser's key.
pub(crate) fn is_public_key(bytes: &[u8]) -> bool {
    bytes.len() == POINT_BYTES && PublicKey::from_sec1_bytes(bytes).is_ok()
}

/// Seals a text for the browser with that key and secret, with a key and salt used once.
/// `None`: the browser's key is none, or the text too long.
pub(super) fn seal(
    p256dh: &[u8],
    auth: &[u8],
    own: &SecretKey,
    salt: [u8; 16],
    text: &[u8],
) -> Option<Vec<u8>> {
    let theirs = PublicKey::from_sec1_bytes(p256dh).ok()?;
    let shared = ecdh::diffie_hellman(own.to_nonzero_scalar(), theirs.as_affine());
    let point = own.public_key().to_encoded_point(false);
    let mut info = b"WebPush: info\0".to_vec();
    info.extend_from_slice(p256dh);
    info.extend_from_slice(point.as_bytes());
    let secret = Hkdf::<Sha256>::new(Some(auth), shared.raw_secret_bytes());
    let mut input = [0; 32];
    secret.expand(&info, &mut input).ok()?;
    let keys = Hkdf::<Sha256>::new(Some(&salt), &input);
    let (mut key, mut nonce) = ([0; 16], [0; 12]);
    keys.expand(b"Content-Encoding: aes128gcm\0", &mut key)
        .ok()?;
    keys.expand(b"Content-Encoding: nonce\0", &mut nonce).ok()?;
    // One record, which is the last.
    let mut plain = text.to_vec();
    plain.push(2);
    if plain.len() + 16 > RECORD as usize {
        return None;
    }
    let cipher = Aes128Gcm::new_from_slice(&key).ok()?;
    let sealed = cipher.encrypt(&nonce.into(), &*plain).ok()?;
    let mut out = salt.to_vec();
    out.extend_from_slice(&RECORD.to_be_bytes());
    out.push(u8::try_from(POINT_BYTES).ok()?);
    out.extend_from_slice(point.as_bytes());
    out.extend_from_slice(&sealed);
    Some(out)
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// RFC 8291, section 5.
    #[test]
    fn the_example_of_the_standard_comes_out_as_it_is_there() {
        let theirs = bytes(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        );
        let own = bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let own = SecretKey::from_slice(&own).unwrap();
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let auth = bytes("BTBZMqHH6r4Tts7J_aSIgg");
        let text = b"When I grow up, I want to be a watermelon";
        let sealed = seal(&theirs, &auth, &own, salt, text).unwrap();
        assert_eq!(
            URL_SAFE_NO_PAD.encode(sealed),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWA\
             mS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSx\
             sj_Qulcy4a-fN"
        );
        assert!(is_public_key(&theirs) && !is_public_key(&theirs[1..]));
        assert!(!is_public_key(&[4; 65]), "not on the curve");
        assert_eq!(seal(&[4; 65], &auth, &own, salt, text), None);
        assert_eq!(seal(&theirs, &auth, &own, salt, &[0; 4_096]), None);
    }
}

//! The keys by which outside tokens are checked.

use std::path::Path;

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind};

/// A key, and the one algorithm it is good for.
pub(super) struct Key {
    /// Its `kid`, in a set of keys.
    pub(super) id: Option<String>,
    pub(super) algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

const SUPPORTED: [Algorithm; 4] = [
    Algorithm::HS256,
    Algorithm::RS256,
    Algorithm::ES256,
    Algorithm::EdDSA,
];

/// An HMAC secret shorter than its hash is guessed more easily than forged.
const SECRET_MIN: usize = 32;
const RSA_BYTES_MIN: usize = 256;
/// An uncompressed point of P-256.
const P256_POINT: usize = 65;

/// Reads the one key, or the set of keys, that the settings name.
pub(super) fn load(
    key: Option<&str>,
    jwks: Option<&Path>,
    algorithms: &[String],
) -> Result<Vec<Key>, String> {
    let allowed = allowed(algorithms)?;
    let mut keys = Vec::new();
    if let Some(setting) = key {
        let key = content(setting).and_then(|content| single(&content, &allowed));
        keys.push(key.map_err(|why| format!("jwt_key: {why}"))?);
    }
    if let Some(path) = jwks {
        let found = read(path).and_then(|file| set(&file, &allowed));
        keys.extend(found.map_err(|why| format!("jwt_jwks: {why}"))?);
    }
    Ok(keys)
}

/// The key itself, or that in the file of that name. A name that is no
/// file's is not taken for a secret: anyone could guess it.
fn content(setting: &str) -> Result<Vec<u8>, String> {
    let path = Path::new(setting);
    let looks_like_path = setting.starts_with(['/', '.', '~'])
        || [".pem", ".key", ".pub", ".txt"]
            .iter()
            .any(|end| setting.ends_with(end));
    if path.is_file() || looks_like_path {
        read(path)
    } else {
        Ok(setting.into())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The algorithms the operator allows; all that there are if none is named.
fn allowed(names: &[String]) -> Result<Vec<Algorithm>, String> {
    if names.is_empty() {
        return Ok(SUPPORTED.to_vec());
    }
    let find = |name: &String| {
        SUPPORTED
            .into_iter()
            .find(|alg| format!("{alg:?}") == *name)
    };
    let unknown = |name| format!("jwt_algorithms: {name} is not HS256, RS256, ES256 or EdDSA");
    names
        .iter()
        .map(|name| find(name).ok_or_else(|| unknown(name)))
        .collect()
}

/// One key: a public key in PEM, or else a secret.
fn single(content: &[u8], allowed: &[Algorithm]) -> Result<Key, String> {
    let text = content.trim_ascii();
    let key = if text.starts_with(b"-----BEGIN") {
        public_key(text)?
    } else if text.starts_with(b"{") {
        return Err("this is a set of keys: name it in jwt_jwks".into());
    } else {
        DecodingKey::from_secret(text)
    };
    let key = usable(None, key)?;
    if allowed.contains(&key.algorithm) {
        Ok(key)
    } else {
        Err(format!(
            "this is a key for {:?}, which jwt_algorithms does not name",
            key.algorithm
        ))
    }
}

fn public_key(pem: &[u8]) -> Result<DecodingKey, String> {
    let is_public = pem.starts_with(b"-----BEGIN PUBLIC KEY-----")
        || pem.starts_with(b"-----BEGIN RSA PUBLIC KEY-----");
    if !is_public {
        return Err("a PEM file must hold a public key, and nothing before it".into());
    }
    DecodingKey::from_rsa_pem(pem)
        .or_else(|_| DecodingKey::from_ec_pem(pem))
        .or_else(|_| DecodingKey::from_ed_pem(pem))
        .map_err(|_| "this is no RSA, P-256 or Ed25519 public key".into())
}

/// The keys of a set that are meant for this and that we understand.
fn set(file: &[u8], allowed: &[Algorithm]) -> Result<Vec<Key>, String> {
    let set: JwkSet = serde_json::from_slice(file).map_err(|e| format!("no set of keys: {e}"))?;
    let mut keys = Vec::new();
    for jwk in &set.keys {
        match from_jwk(jwk) {
            Ok(key) if allowed.contains(&key.algorithm) => keys.push(key),
            Ok(_) => {}
            Err(why) => {
                let kid = jwk.common.key_id.as_deref().unwrap_or_default();
                tracing::warn!(kid, why, "a key of jwt_jwks is left out");
            }
        }
    }
    if keys.is_empty() {
        Err("there is no key in it that can be used".into())
    } else {
        Ok(keys)
    }
}

fn from_jwk(jwk: &Jwk) -> Result<Key, String> {
    if matches!(jwk.common.public_key_use, Some(PublicKeyUse::Encryption)) {
        return Err("it is for encryption".into());
    }
    let is_known_curve = match &jwk.algorithm {
        AlgorithmParameters::EllipticCurve(params) => params.curve == EllipticCurve::P256,
        AlgorithmParameters::OctetKeyPair(params) => params.curve == EllipticCurve::Ed25519,
        _ => true,
    };
    if !is_known_curve {
        return Err("its curve is neither P-256 nor Ed25519".into());
    }
    let key = DecodingKey::from_jwk(jwk).map_err(|e| e.to_string())?;
    let key = usable(jwk.common.key_id.clone(), key)?;
    match jwk.common.key_algorithm {
        Some(named) if Algorithm::try_from(named) != Ok(key.algorithm) => {
            Err(format!("it is for {named}"))
        }
        _ => Ok(key),
    }
}

/// The key with its algorithm, if it is strong enough for that.
fn usable(id: Option<String>, key: DecodingKey) -> Result<Key, String> {
    let length = match key.kind() {
        DecodingKeyKind::SecretOrDer(bytes) => bytes.len(),
        DecodingKeyKind::RsaModulusExponent { n, .. } => n.len(),
    };
    let (algorithm, is_good, want) = match key.family() {
        AlgorithmFamily::Hmac => (
            Algorithm::HS256,
            length >= SECRET_MIN,
            "a secret has at least 32 bytes",
        ),
        AlgorithmFamily::Rsa => (
            Algorithm::RS256,
            length >= RSA_BYTES_MIN,
            "an RSA key has at least 2048 bits",
        ),
        AlgorithmFamily::Ec => (
            Algorithm::ES256,
            length == P256_POINT,
            "an EC key must be one of P-256",
        ),
        AlgorithmFamily::Ed => (
            Algorithm::EdDSA,
            length == 32,
            "an Ed25519 key has 32 bytes",
        ),
    };
    if is_good {
        Ok(Key { id, algorithm, key })
    } else {
        Err(want.into())
    }
}

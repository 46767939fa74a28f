//! Requests made from the description of a route, and then made worse.

use serde_json::{Map, Value, json};

use crate::stage::PASSWORD;

/// Chance that is the same every time.
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn pick<'a, V: ?Sized>(&mut self, all: &[&'a V]) -> &'a V {
        all[self.below(all.len())]
    }
}

/// What is true of the server that requests are made for.
pub(crate) struct World<'a> {
    pub(crate) document: &'a Value,
    /// Ids of players.
    pub(crate) people: &'a [String],
    /// Codes of games that wait.
    pub(crate) codes: &'a [String],
}

fn any(rng: &mut Rng, all: &[String]) -> Value {
    json!(all[rng.below(all.len())])
}

impl World<'_> {
    /// A value as the schema wants it, and mostly one that makes sense.
    pub(crate) fn valid(&self, rng: &mut Rng, name: &str, schema: &Value) -> Value {
        if let Some(known) = self.known(rng, name) {
            return known;
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let pointer = reference.trim_start_matches('#');
            let found = self.document.pointer(pointer).unwrap_or(&Value::Null);
            return self.valid(rng, "", found);
        }
        for way in ["oneOf", "anyOf", "allOf"] {
            if let Some(ways) = schema[way].as_array().filter(|ways| !ways.is_empty()) {
                let way = &ways[rng.below(ways.len())];
                return self.valid(rng, "", way);
            }
        }
        if let Some(names) = schema["enum"].as_array() {
            return names[rng.below(names.len())].clone();
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds[rng.below(kinds.len())].clone(),
            kind => kind.clone(),
        };
        match kind.as_str().unwrap_or_default() {
            "object" => self.object(rng, schema),
            "array" => (0..rng.below(4))
                .map(|_| self.valid(rng, "", &schema["items"]))
                .collect(),
            "string" => json!(rng.pick(&["a", "e2", "Ann", "white", "2026-01-31"])),
            "integer" | "number" => json!(rng.pick(&[&0, &1, &2, &15, &60, &300, &3_600])),
            "boolean" => json!(rng.percent(50)),
            _ => Value::Null,
        }
    }

    fn object(&self, rng: &mut Rng, schema: &Value) -> Value {
        let required = schema["required"].as_array();
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|n| n == name));
        let fields = schema["properties"].as_object();
        let mut object = Map::new();
        for (name, schema) in fields.into_iter().flatten() {
            let is_wanted = ["time_control", "move", "white_ms"].contains(&name.as_str());
            if is_required(name) || is_wanted || rng.percent(12) {
                object.insert(name.clone(), self.valid(rng, name, schema));
            }
        }
        Value::Object(object)
    }

    /// What fields of that name hold.
    fn known(&self, rng: &mut Rng, name: &str) -> Option<Value> {
        Some(match name {
            "username" if rng.percent(50) => json!(format!("fuzz-{}", rng.next() as u32)),
            "username" | "opponent_id" | "white" | "black" | "player" => any(rng, self.people),
            "name" | "after" if rng.percent(70) => any(rng, self.people),
            "names" | "invited" => json!([any(rng, self.people)]),
            "join_code" => any(rng, self.codes),
            "password" | "current_password" if rng.percent(80) => json!(PASSWORD),
            "scopes" => json!([rng.pick(&["read", "play", "bot", "service", "admin"])]),
            "path" => json!("/nowhere/at/all"),
            "email" => json!(rng.pick(&["a@b.example", "", "@", "a@b@c"])),
            "move" => json!(rng.pick(&["g1f3", "Nf3", "e2-e4", "O-O", "g8f6", "P@e4", "e1e8q"])),
            "variant" => json!(rng.pick(&[
                "standard",
                "chess960",
                "crazyhouse",
                "antichess",
                "atomic",
                "horde",
                "king_of_the_hill",
                "racing_kings",
                "three_check",
            ])),
            "initial_fen" => json!(rng.pick(&[
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "8/8/8/8/8/8/8/8 w - - 0 1",
                "k7/8/8/8/8/8/8/K7 w - - 0 1",
                "k6P/8/8/8/8/8/8/K7 w KQkq e3 99999 99999",
                "4k3/8/8/8/8/8/8/R3K2R[QQqq] w KQ - 149 4294967295",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            ])),
            "result" => json!(rng.pick(&["white_wins", "black_wins", "draw", "aborted"])),
            "state" => json!(rng.pick(&["WAITING", "ACTIVE", "PAUSED", "COMPLETED", "active"])),
            "since" => json!(rng.pick(&["2026-01-31", "2026-02-31", "0000-00-00", "99999-1-1"])),
            "cursor" => json!(rng.pick(&["18446744073709551615-AAAAAAAA", "0-AAAAAAAA", "-"])),
            "white_ms" | "black_ms" => json!(rng.pick(&[&0, &1_000, &u32::MAX])),
            _ => return None,
        })
    }
}

/// Something no field expects.
pub(crate) fn nasty(rng: &mut Rng) -> Value {
    match rng.below(24) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(1.5),
        4 => json!(1e308),
        5 => json!(u64::MAX),
        6 => json!(i64::MIN),
        7 => json!(u64::from(u32::MAX) + 1),
        8 => json!(u32::MAX),
        9 => json!(65_535),
        10 => json!(""),
        11 => json!(" \t\r\n"),
        12 => json!("x".repeat(1 + rng.below(12_000))),
        13 => json!("\u{0}\u{1}\u{7f}\u{1b}[2J"),
        14 => json!("\u{202e}\u{feff}\u{200b}é\u{301}"),
        15 => json!("💥".repeat(1 + rng.below(300))),
        16 => json!("'; DROP TABLE accounts; --"),
        17 => json!("../../../etc/passwd"),
        18 => json!("<script>alert(1)</script>\" $(id) %00%ff {{7*7}}"),
        19 => json!([]),
        20 => json!({}),
        21 => json!([[[1, "a", null]], {}]),
        22 => (0..100).fold(json!(1), |inside, _| json!([inside])),
        _ => (0..100).fold(json!(1), |inside, _| json!({ "a": inside })),
    }
}

/// A body that was good once.
pub(crate) fn worsen(rng: &mut Rng, mut good: Value) -> Vec<u8> {
    let names: Vec<String> = good
        .as_object()
        .map(|o| o.keys().cloned().collect())
        .unwrap_or_default();
    let name = if names.is_empty() {
        None
    } else {
        Some(&names[rng.below(names.len())])
    };
    let as_text = |value: &Value| value.to_string().into_bytes();
    match (rng.below(26), name) {
        (0..5, Some(name)) => good[name] = nasty(rng),
        (5, Some(name)) => drop(good.as_object_mut().and_then(|o| o.remove(name))),
        (6, _) if good.is_object() => good["extra"] = nasty(rng),
        (7, _) => good = nasty(rng),
        (8, _) => {
            let text = as_text(&good);
            return text[..rng.below(text.len())].to_vec();
        }
        (9, _) => {
            let mut text = as_text(&good);
            for _ in 0..3 {
                let at = rng.below(text.len());
                text[at] = rng.below(256) as u8;
            }
            return text;
        }
        (10, _) => {
            return (*rng.pick(&["[", "{\"a\":", "\"", "-"]))
                .repeat(2_000)
                .into_bytes();
        }
        (11, _) => return b"{\"x\":\"".iter().copied().chain([b'x'; 20_000]).collect(),
        (12, _) => return [as_text(&good), as_text(&nasty(rng))].concat(),
        (13, _) => return b"\xff\xfe{\x00}\x00".to_vec(),
        (14, Some(name)) => {
            let value = nasty(rng);
            return format!("{{\"{name}\":{value},\"{name}\":{value}}}").into_bytes();
        }
        (15, _) => return Vec::new(),
        _ => {}
    }
    as_text(&good)
}

/// A part of a path or a query that is no good.
pub(crate) fn nasty_text(rng: &mut Rng) -> String {
    let long = "A".repeat(rng.below(9_000));
    let all = [
        "",
        "%00",
        "%ff%fe",
        "%",
        "%zz",
        "..",
        "%2e%2e%2f",
        ".",
        "AAAAAAAA",
        "aaaaaaa",
        "zzzzzzzz",
        "zzzzzzzzz",
        "0",
        "-1",
        "18446744073709551616",
        "%F0%9F%92%A5",
        "a%20b",
        "'%22;--",
        "null",
        "{id}",
        "*",
        "~",
        "a;b=c",
        "a,b",
        "+",
        "=&=",
        &long,
    ];
    (*rng.pick(&all)).to_owned()
}

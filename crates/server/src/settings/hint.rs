//! What to tell somebody who names a setting that there is not.

use super::{SettingError, TABLE};

pub(super) fn unknown(place: &str, name: &str) -> SettingError {
    let name = name.to_lowercase();
    let near = TABLE
        .iter()
        .map(|s| (distance(&name, s.name), s.name))
        .min();
    let hint = match near {
        Some((steps, near)) if steps <= 3 => format!("did you mean {near}?"),
        _ => {
            let names: Vec<&str> = TABLE.iter().map(|s| s.name).collect();
            format!("the settings are {}", names.join(", "))
        }
    };
    SettingError(format!("{place}: there is no such setting; {hint}"))
}

/// How many letters must change to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_letters() {
        assert_eq!(distance("listen", "listen"), 0);
        assert_eq!(distance("listn", "listen"), 1);
        assert_eq!(distance("", "log"), 3);
        assert_eq!(distance("bus", "log"), 3);
    }
}

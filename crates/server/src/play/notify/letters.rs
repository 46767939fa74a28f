//! What letters say: text, and the same in HTML.

use chess::Timestamp;

use super::Kind;
use super::mail::Letter;
use crate::html::escape;
use crate::text_time::rfc3339;

/// A game, as a letter tells of it.
#[derive(Clone, Debug)]
pub(super) struct About {
    /// The opponent, as they write themselves.
    pub(super) opponent: String,
    /// Where it is shown.
    pub(super) link: String,
    /// Until when a move must be made.
    pub(super) deadline: Option<Timestamp>,
    /// How it ended, in words.
    pub(super) ending: Option<String>,
}

/// A letter about one game, or about several in which it is one's turn.
pub(super) fn about(kind: Kind, to: &str, games: &[About], unsubscribe: String) -> Letter {
    let first = games.first();
    let opponent = first.map_or("somebody", |game| &*game.opponent);
    let (subject, lead) = match (kind, games.len()) {
        (Kind::YourTurn, 0 | 1) => (
            format!("Your move against {opponent}"),
            "It is your move:".to_owned(),
        ),
        (Kind::YourTurn, many) => (
            format!("{many} games wait for your move"),
            format!("It is your move in {many} games:"),
        ),
        (Kind::Challenge, _) => (
            format!("{opponent} challenges you"),
            "Somebody wants to play with you:".to_owned(),
        ),
        (Kind::DeadlineNear, _) => (
            format!("Your time against {opponent} is running out"),
            "A quarter of the time for your move is left:".to_owned(),
        ),
        (Kind::GameOver, _) => (
            format!("Your game against {opponent} is over"),
            "A game of yours is over:".to_owned(),
        ),
    };
    let lines: Vec<(String, &str)> = games.iter().map(|game| (line(game), &*game.link)).collect();
    letter(subject, to, &lead, &lines, Some(unsubscribe))
}

/// Asks whether an address is theirs.
pub(super) fn confirm(to: &str, link: &str) -> Letter {
    let lead = format!(
        "The player {to} wants to be written to at this address. If that is you, confirm it \
         within a day. If it is not, do nothing: you will not be written to again."
    );
    let lines = [("Confirm the address".to_owned(), link)];
    letter("Is this your address?".into(), to, &lead, &lines, None)
}

/// Opens the way to a new password.
pub(super) fn reset(to: &str, link: &str) -> Letter {
    let lead = format!(
        "Somebody, hopefully you, wants a new password for the player {to}. The link works once \
         and for an hour. If it was not you, do nothing: your password stays as it is."
    );
    let lines = [("Choose a new password".to_owned(), link)];
    letter("A new password".into(), to, &lead, &lines, None)
}

/// Tells the reader of an address that it is none of that player's any more.
pub(super) fn moved(to: &str, link: &str) -> Letter {
    let lead = format!(
        "The player {to} has confirmed another address, and is not written to at this one any \
         more. If it was not you, sign in and change your password, or ask the operator for help."
    );
    let lines = [("The server".to_owned(), link)];
    letter("Another address".into(), to, &lead, &lines, None)
}

fn line(game: &About) -> String {
    let mut line = format!("against {}", game.opponent);
    if let Some(ending) = &game.ending {
        line += &format!(": {ending}");
    } else if let Some(deadline) = game.deadline {
        line += &format!(", until {}", minute(deadline));
    }
    line
}

/// `2026-01-31 18:05 UTC`.
fn minute(at: Timestamp) -> String {
    let text = rfc3339(at);
    let (day, time) = (text.get(..10), text.get(11..16));
    format!(
        "{} {} UTC",
        day.unwrap_or_default(),
        time.unwrap_or_default()
    )
}

fn letter(
    subject: String,
    to: &str,
    lead: &str,
    lines: &[(String, &str)],
    unsubscribe: Option<String>,
) -> Letter {
    let mut text = format!("Hello {to},\n\n{lead}\n\n");
    let mut html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><body><p>Hello {},</p><p>{}</p><ul>",
        escape(to),
        escape(lead)
    );
    for (line, link) in lines {
        text += &format!("- {line}\n  {link}\n");
        html += &format!("<li><a href=\"{}\">{}</a></li>", escape(link), escape(line));
    }
    html += "</ul>";
    if let Some(link) = &unsubscribe {
        text += &format!("\n-- \nNo more letters of this kind: {link}\n");
        html += &format!(
            "<p><small><a href=\"{}\">No more letters of this kind</a></small></p>",
            escape(link)
        );
    }
    html += "</body></html>";
    Letter {
        subject,
        text,
        html,
        unsubscribe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(opponent: &str) -> About {
        About {
            opponent: opponent.into(),
            link: "https://chess.example/game/a?b&c".into(),
            deadline: Some(Timestamp(1_800_000_000_000)),
            ending: None,
        }
    }

    #[test]
    fn a_letter_says_the_same_in_text_and_in_html() {
        let one = about(
            Kind::YourTurn,
            "Ann",
            &[game("Bob<b>")],
            "https://x/u".into(),
        );
        assert_eq!(one.subject, "Your move against Bob<b>");
        assert!(
            one.text
                .contains("against Bob<b>, until 2027-01-15 08:00 UTC")
        );
        assert!(
            one.html
                .contains("against Bob&lt;b&gt;, until 2027-01-15 08:00 UTC")
        );
        assert!(
            one.html
                .contains("href=\"https://chess.example/game/a?b&amp;c\"")
        );
        assert!(one.text.contains("https://x/u") && one.html.contains("https://x/u"));
        let both = about(
            Kind::YourTurn,
            "Ann",
            &[game("B"), game("C")],
            String::new(),
        );
        assert_eq!(both.subject, "2 games wait for your move");
        assert!(both.text.contains("against B") && both.text.contains("against C"));
    }

    #[test]
    fn each_kind_has_its_words() {
        let mut over = game("Bob");
        over.ending = Some("you won by checkmate".into());
        let letter = about(Kind::GameOver, "Ann", &[over], String::new());
        assert!(letter.text.contains("against Bob: you won by checkmate"));
        let subjects = Kind::ALL.map(|kind| about(kind, "A", &[game("B")], String::new()).subject);
        let mut unlike = subjects.to_vec();
        unlike.dedup();
        assert_eq!(unlike.len(), Kind::ALL.len());
        assert!(confirm("Ann", "https://x/c").unsubscribe.is_none());
        assert!(reset("Ann", "https://x/r").html.contains("https://x/r"));
    }
}

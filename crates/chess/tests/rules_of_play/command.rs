//! What the people in a script do, in plain words.

use chess::game::{
    AbortReason, Command, DeclineReason, DrawReason, Ending, MoveCommand, Offer, StartRatings,
    WinReason,
};
use chess::table::{Actor, Outage, PlayerId};
use chess::{ByColor, Color, Timestamp};

use crate::script::{at, duration};

/// Who speaks: `w`, `b`, a stranger `x`, an operator `op`, or the server.
#[derive(Clone, Copy)]
pub(crate) enum Who {
    White,
    Black,
    Stranger,
    Operator,
    Server,
}

impl Who {
    pub(crate) fn read(name: &str) -> Option<Who> {
        Some(match name {
            "w" => Who::White,
            "b" => Who::Black,
            "x" => Who::Stranger,
            "op" => Who::Operator,
            "server" => Who::Server,
            _ => return None,
        })
    }

    pub(crate) fn actor(self) -> Actor {
        match self {
            Who::Operator => Actor::Operator,
            Who::Server => Actor::Server,
            _ => Actor::Player(self.player()),
        }
    }

    pub(crate) fn player(self) -> PlayerId {
        PlayerId::new(self as u32 + 1).expect("not nobody")
    }
}

/// The command to take the seat that chance made this colour.
pub(crate) fn joining(toss: Color) -> Command {
    Command::Join {
        toss,
        by_code: false,
        ratings: StartRatings::default(),
    }
}

/// Reads the words of a step: moves in a row (`e4 e5`) by whoever has the move,
/// or one command with its speaker in front (`w offers draw`, `tick` and
/// `down 20s..35s` are the server's). A downtime ends `now`.
pub(crate) fn read(words: &[&str], now: &mut Timestamp, turn: Color) -> Vec<(Actor, Command)> {
    if let Some(who) = Who::read(words[0]) {
        return vec![(who.actor(), one(&words[1..], now))];
    }
    if let "tick" | "down" = words[0] {
        return vec![(Actor::Server, one(words, now))];
    }
    let mover = [turn, !turn].map(|c| c.fold_wb(Who::White, Who::Black).actor());
    words
        .iter()
        .zip(mover.into_iter().cycle())
        .map(|(text, who)| (who, Command::Move(MoveCommand::new(text))))
        .collect()
}

fn one(words: &[&str], now: &mut Timestamp) -> Command {
    match words {
        ["plays", text, rest @ ..] => Command::Move(a_move(text, rest)),
        ["joins"] => joining(Color::Black),
        ["joins", "by", "code"] => Command::Join {
            toss: Color::Black,
            by_code: true,
            ratings: StartRatings::default(),
        },
        ["joins", "tossed", color] => joining(color.parse().expect("a colour")),
        ["declines"] => Command::Decline(None),
        ["declines", "because", why] => Command::Decline(DeclineReason::named(why)),
        ["cancels"] => Command::Cancel,
        ["invites", names @ ..] => Command::Invite(
            names
                .iter()
                .map(|name| Who::read(name).expect("somebody").player())
                .collect(),
        ),
        ["resigns"] => Command::Resign,
        ["aborts"] => Command::Abort,
        ["offers", what] => Command::Offer(offer(what)),
        ["accepts", what] => Command::Accept(offer(what)),
        ["declines", what] => Command::DeclineOffer(offer(what)),
        ["claims", what, gone @ ..] => {
            let opponent_seen = match gone {
                ["gone", "since", time] => Some(moment(time)),
                _ => None,
            };
            if *what == "win" {
                Command::ClaimWin { opponent_seen }
            } else {
                Command::ClaimDraw { opponent_seen }
            }
        }
        ["resumes"] => Command::Resume,
        ["gives", time] => Command::AddTime(duration(time).expect("a time")),
        ["tick"] => Command::Tick { host_seen: *now },
        ["tick", "host", "seen", time] => Command::Tick {
            host_seen: moment(time),
        },
        ["down", spans @ ..] => {
            let outage = |span: &&str| {
                let (from, to) = span.split_once("..").expect("from..to");
                Outage {
                    down_since: moment(from),
                    up_at: moment(to),
                }
            };
            let outages: Vec<Outage> = spans.iter().map(outage).collect();
            *now = outages.last().expect("a span").up_at;
            Command::Credit(outages)
        }
        ["notes", who, "away", "until", time] => Command::Vacation {
            of: Who::read(who).expect("somebody").player(),
            until: Some(moment(time)),
        },
        ["notes", who, "back"] => Command::Vacation {
            of: Who::read(who).expect("somebody").player(),
            until: None,
        },
        ["pauses"] => Command::Pause,
        ["sets", white, black] => Command::SetClock(ByColor {
            white: duration(white).expect("a time"),
            black: duration(black).expect("a time"),
        }),
        ["adjudicates", rest @ ..] => Command::Adjudicate(judgement(rest)),
        ["rules", rest @ ..] => Command::ChangeResult(judgement(rest)),
        other => panic!("nobody can `{}`", other.join(" ")),
    }
}

/// `e4`, and in any order `ply 3`, `version 7`, `offering draw`.
fn a_move(text: &str, rest: &[&str]) -> MoveCommand {
    let mut command = MoveCommand::new(text);
    for pair in rest.chunks(2) {
        match pair {
            ["ply", n] => command.ply = n.parse().ok(),
            ["version", n] => command.version = n.parse().ok(),
            ["offering", "draw"] => command.offer_draw = true,
            other => panic!("a move has no `{}`", other.join(" ")),
        }
    }
    command
}

fn offer(name: &str) -> Offer {
    Offer::ALL
        .into_iter()
        .find(|offer| offer.name() == name)
        .unwrap_or_else(|| panic!("nobody offers a {name}"))
}

fn judgement(words: &[&str]) -> Ending {
    match words {
        ["draw"] => Ending::Drawn {
            by: DrawReason::Stalemate,
        },
        ["abort"] => Ending::Aborted {
            by: AbortReason::Player,
        },
        [color, "wins"] => Ending::Won {
            winner: color.parse().expect("a colour"),
            by: WinReason::Checkmate,
        },
        other => panic!("no judgement: `{}`", other.join(" ")),
    }
}

fn moment(time: &str) -> Timestamp {
    at(duration(time).unwrap_or_else(|| panic!("`{time}` is no time")))
}

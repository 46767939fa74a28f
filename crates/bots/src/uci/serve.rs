//! The built-in engine as a UCI program, for graphical programs and for tests of whoever talks to engines.

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chess::rules::{Board, Spelled, Start, Variant};

use super::words;
use crate::engine::{Engine, Found, Limits, Score};
use crate::pace::{self, Clock};
use crate::situation::Situation;

const VARIANTS: [Variant; 8] = [
    Variant::Standard,
    Variant::Crazyhouse,
    Variant::Antichess,
    Variant::Atomic,
    Variant::Horde,
    Variant::KingOfTheHill,
    Variant::RacingKings,
    Variant::ThreeCheck,
];

/// A running search: whoever sets the flag stops it.
type Running = (Arc<AtomicBool>, std::thread::JoinHandle<Engine>);

struct Server<W> {
    out: Arc<std::sync::Mutex<W>>,
    /// Lent to the search while there is one.
    engine: Option<Engine>,
    running: Option<Running>,
    situation: Situation,
    variant: Variant,
    numbered: bool,
    megabytes: usize,
}

/// Answers commands until `quit` or the end of the input.
///
/// # Errors
/// If input or output fail.
pub fn run(input: impl BufRead, out: impl Write + Send + 'static) -> std::io::Result<()> {
    let mut server = Server {
        out: Arc::new(std::sync::Mutex::new(out)),
        engine: None,
        running: None,
        situation: Situation::usual(Variant::Standard),
        variant: Variant::Standard,
        numbered: false,
        megabytes: 16,
    };
    for line in input.lines() {
        let line = line?;
        if line.trim() == "quit" {
            break;
        }
        server.command(line.trim())?;
    }
    server.finish();
    Ok(())
}

impl<W: Write + Send + 'static> Server<W> {
    fn say(&self, line: &str) -> std::io::Result<()> {
        let mut out = self
            .out
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        writeln!(out, "{line}")?;
        out.flush()
    }

    fn command(&mut self, line: &str) -> std::io::Result<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" => self.introduce()?,
            "isready" => self.say("readyok")?,
            "setoption" => self.set(rest),
            "ucinewgame" => self.finish(),
            "position" => {
                self.finish();
                match self.position(rest) {
                    Some(situation) => self.situation = situation,
                    None => self.say("info string that is no position")?,
                }
            }
            "go" => {
                self.finish();
                self.go(rest);
            }
            "stop" => self.finish(),
            _ => {}
        }
        Ok(())
    }

    fn introduce(&self) -> std::io::Result<()> {
        let variants = VARIANTS.map(|variant| words::variant(variant).unwrap_or("chess"));
        self.say("id name Arbiter")?;
        self.say("id author the authors of Arbiter")?;
        self.say("option name Hash type spin default 16 min 1 max 1024")?;
        self.say("option name UCI_Chess960 type check default false")?;
        self.say(&format!(
            "option name UCI_Variant type combo default chess var {}",
            variants.join(" var ")
        ))?;
        self.say("uciok")
    }

    fn set(&mut self, rest: &str) {
        self.finish();
        let rest = rest.strip_prefix("name ").unwrap_or(rest);
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        match name {
            "Hash" => {
                self.megabytes = value.parse().unwrap_or(16).clamp(1, 1024);
                self.engine = None;
            }
            "UCI_Chess960" => self.numbered = value == "true",
            "UCI_Variant" => {
                let mut known = VARIANTS.into_iter();
                let named = known.find(|v| words::variant(*v).unwrap_or("chess") == value);
                self.variant = named.unwrap_or_default();
            }
            _ => {}
        }
    }

    fn position(&self, rest: &str) -> Option<Situation> {
        let (start, moves) = rest.split_once("moves").unwrap_or((rest, ""));
        let variant = match self.variant {
            Variant::Standard if self.numbered => Variant::Chess960,
            variant => variant,
        };
        let board = match start.trim().strip_prefix("fen ") {
            Some(fen) => Board::from_fen(variant, fen).ok()?,
            None => Board::start(variant, &Start::Usual).ok()?,
        };
        let mut situation = Situation::new(variant, board);
        for text in moves.split_whitespace() {
            let m = situation.board().resolve(Spelled::read(text).ok()?).ok()?;
            situation.play(m);
        }
        Some(situation)
    }

    fn go(&mut self, rest: &str) {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let number = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.parse::<u64>().ok()
        };
        let limits = Limits {
            nodes: number("nodes").unwrap_or(u64::MAX),
            depth: number("depth").map_or(64, |depth| depth.min(64) as i32),
        };
        let time = number("movetime").map(Duration::from_millis);
        let (left, more) = match self.situation.board().turn() {
            chess::Color::White => ("wtime", "winc"),
            chess::Color::Black => ("btime", "binc"),
        };
        let clock = number(left).map(|left| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(number(more).unwrap_or(0)),
        });
        let time = time.or_else(|| clock.map(|c| pace::budget(Some(c), Duration::from_secs(60))));
        let until = time.map(|time| Instant::now() + time);
        let mut engine = self
            .engine
            .take()
            .unwrap_or_else(|| Engine::new(self.megabytes << 20));
        let (situation, out) = (self.situation.clone(), self.out.clone());
        let flag = Arc::new(AtomicBool::new(false));
        let stop = flag.clone();
        let thread = std::thread::spawn(move || {
            let mut stop =
                || stop.load(Ordering::Relaxed) || until.is_some_and(|t| Instant::now() >= t);
            let found = engine.search_until(&situation, limits, &mut stop);
            let mut out = out.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let told = writeln!(out, "{}", told(&situation, found)).and_then(|()| out.flush());
            // Nobody listens any more: the input will end too.
            drop(told);
            engine
        });
        self.running = Some((flag, thread));
    }

    /// Stops a search that is running; its answer is said before this returns.
    fn finish(&mut self) {
        if let Some((flag, thread)) = self.running.take() {
            flag.store(true, Ordering::Relaxed);
            self.engine = thread.join().ok();
        }
    }
}

fn told(situation: &Situation, found: Option<Found>) -> String {
    let Some(found) = found else {
        return "bestmove (none)".into();
    };
    let mut board = situation.board().clone();
    let mut line = Vec::new();
    for m in &found.line {
        line.push(board.uci_text(*m));
        board.play(*m);
    }
    let score = match found.score {
        Score::Centipawns(value) => format!("cp {value}"),
        Score::Mate(moves) => format!("mate {moves}"),
    };
    let (depth, nodes) = (found.depth, found.nodes);
    let best = line.first().cloned().unwrap_or_default();
    let line = line.join(" ");
    format!("info depth {depth} score {score} nodes {nodes} pv {line}\nbestmove {best}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Clone, Default)]
    struct Sheet(Arc<Mutex<Vec<u8>>>);

    impl Write for Sheet {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn talk(input: &str) -> String {
        let sheet = Sheet::default();
        run(input.as_bytes(), sheet.clone()).expect("talking works");
        let said = sheet.0.lock().expect("no panic").clone();
        String::from_utf8(said).expect("text")
    }

    #[test]
    fn a_conversation() {
        let said = talk("uci\nisready\nposition startpos moves e2e4\ngo nodes 500\nquit\n");
        assert!(said.contains("uciok\nreadyok\ninfo depth "), "{said}");
        assert!(said.contains("\nbestmove "), "{said}");
    }

    #[test]
    fn variants_are_set_and_mates_are_said() {
        let atomic = talk(
            "setoption name UCI_Variant value atomic\nposition fen 3rkr2/3p1p2/8/8/8/8/8/3RK3 w - - 0 1\ngo nodes 9000\n",
        );
        assert!(atomic.contains("score mate 1"), "{atomic}");
        assert!(atomic.contains("bestmove d1d7"), "{atomic}");
    }

    #[test]
    fn what_makes_no_sense_does_no_harm() {
        let said = talk(
            "hello\nposition fen x\ngo depth x nodes 10\nsetoption\nposition startpos moves e2e5\ngo nodes 1\nstop\nstop\n",
        );
        assert_eq!(said.matches("bestmove").count(), 2, "{said}");
    }
}

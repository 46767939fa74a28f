//! Many tables at once, each at its own pace.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::streams::Announcement;
use super::table::{Ending, FLAG_MS, Finished, Step, Table};
use crate::agenda::Agenda;
use crate::client::{Answer, Load, Next};
use crate::http;
use crate::rng::Rng;
use crate::stats::Times;
use crate::world::{World, unexpected};

/// One game in so many is followed by a stream.
const FOLLOWED: usize = 8;

/// What was counted.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) requests: u64,
    pub(crate) retries: u64,
    pub(crate) chats: u64,
    pub(crate) times: Times,
    pub(crate) wrong: Vec<String>,
    pub(crate) notes: Vec<String>,
    ended: BTreeMap<&'static str, u64>,
}

impl Counts {
    pub(crate) fn by_end(&self) -> Vec<(&'static str, u64)> {
        self.ended
            .iter()
            .map(|(what, many)| (*what, *many))
            .collect()
    }
}

type Look = Box<dyn FnOnce() -> u64>;

/// The tables and when each goes on.
pub(crate) struct Evening<'a> {
    world: &'a World,
    begun: Instant,
    lasting: Duration,
    tables: Vec<Table>,
    agenda: Agenda,
    rng: Rng,
    has_chat: bool,
    pub(crate) announce: Sender<Announcement>,
    pub(crate) counts: Counts,
    pub(crate) record: Vec<Finished>,
    /// Looks at the server's memory once a quarter of the time is over.
    pub(crate) first_quarter: Option<Look>,
    pub(crate) memory: u64,
}

impl<'a> Evening<'a> {
    pub(crate) fn new(
        world: &'a World,
        tables: usize,
        lasting: Duration,
        announce: Sender<Announcement>,
    ) -> Evening<'a> {
        let mut rng = Rng::new(21);
        let begun = Instant::now();
        let mut agenda = Agenda::default();
        for table in 0..tables {
            agenda.add(
                begun + Duration::from_millis(rng.below(5_000) as u64),
                table,
            );
        }
        Evening {
            world,
            begun,
            lasting,
            tables: (0..tables).map(|_| Table::new(world, &mut rng)).collect(),
            agenda,
            rng,
            has_chat: true,
            announce,
            counts: Counts::default(),
            record: Vec::new(),
            first_quarter: None,
            memory: 0,
        }
    }

    /// What the table at `index` makes of an answer that is as it should be.
    fn accept(&mut self, index: usize, answer: &Answer<'_>) -> Result<(), String> {
        let table = &mut self.tables[index];
        match table.step {
            Step::Create => {
                let id = http::text_of(answer.body, "id").ok_or("a game without an id")?;
                table.id = id.to_owned();
            }
            Step::Join if index.is_multiple_of(FOLLOWED) => {
                let announcement = Announcement {
                    game: table.id.clone(),
                    token: table.player(self.world, true).token.clone(),
                };
                // The streams may have given up; they say why.
                self.announce.send(announcement).ok();
            }
            Step::Move => {
                table.ply += 1;
                table.answer = answer.body.to_vec();
                self.counts.times.push(answer.received - answer.intended);
            }
            Step::Again => {
                self.counts.retries += 1;
                if answer.body != table.answer {
                    return Err(unexpected("a move sent twice", answer));
                }
            }
            Step::Chat => self.counts.chats += 1,
            Step::Look => {
                let finished = table.finished();
                let differs = finished.differs(&self.world.lines, answer.body);
                self.record.push(finished);
                *self.counts.ended.entry(name(table.ending)).or_default() += 1;
                return differs.map_or(Ok(()), Err);
            }
            Step::Join | Step::Resign | Step::OfferDraw | Step::AcceptDraw | Step::Abort => {}
        }
        Ok(())
    }

    /// When the table goes on.
    fn pause(&mut self, index: usize) -> Duration {
        let table = &self.tables[index];
        let ms = match (table.step, table.ending) {
            (Step::Create | Step::Join, _) => self.rng.below(300) as u64,
            (Step::Look, Ending::Flag) => FLAG_MS,
            (Step::Move, Ending::Flag) => self.rng.below(100) as u64,
            (Step::Move, _) => 200 + self.rng.below(1_200) as u64,
            _ => self.rng.below(200) as u64,
        };
        Duration::from_millis(ms)
    }

    fn begin_again(&mut self, index: usize) {
        if self.begun.elapsed() < self.lasting {
            self.tables[index] = Table::new(self.world, &mut self.rng);
            self.later(index);
        }
    }

    fn later(&mut self, index: usize) {
        let at = Instant::now() + self.pause(index);
        self.agenda.add(at, index);
    }
}

impl Load for Evening<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        if now > self.begun + self.lasting / 4
            && let Some(look) = self.first_quarter.take()
        {
            self.memory = look();
        }
        let (intended, index) = match self.agenda.due(now) {
            Ok(due) => due,
            Err(next) => return next,
        };
        self.tables[index].request(self.world, out);
        Next::Send {
            tag: index as u64,
            intended,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        let index = answer.tag as usize;
        self.counts.requests += 1;
        let step = self.tables[index].step;
        if step == Step::Chat && answer.status == 404 {
            if self.has_chat {
                self.has_chat = false;
                self.counts
                    .notes
                    .push("chat was left out: the server has no such call".into());
            }
        } else if !(200..300).contains(&answer.status) {
            let wrong = unexpected(&format!("{step:?}"), answer);
            self.counts.wrong.push(wrong);
            return self.begin_again(index);
        } else if let Err(wrong) = self.accept(index, answer) {
            self.counts.wrong.push(wrong);
        }
        if step == Step::Look {
            return self.begin_again(index);
        }
        self.tables[index].go_on(&mut self.rng);
        if self.tables[index].step == Step::Chat && !self.has_chat {
            self.tables[index].go_on(&mut self.rng);
        }
        self.later(index);
    }

    fn lost(&mut self, tag: u64) {
        let step = self.tables[tag as usize].step;
        self.counts.wrong.push(format!("{step:?} was not answered"));
    }
}

fn name(ending: Ending) -> &'static str {
    match ending {
        Ending::Mate => "checkmate",
        Ending::Resignation => "resignation",
        Ending::Draw => "agreement",
        Ending::Flag => "a fallen flag",
        Ending::Abort => "being aborted",
    }
}

/// Looks at every finished game once more.
pub(crate) struct Audit<'a> {
    world: &'a World,
    record: &'a [Finished],
    next: usize,
    pub(crate) wrong: Vec<String>,
}

impl<'a> Audit<'a> {
    pub(crate) fn new(world: &'a World, record: &'a [Finished]) -> Audit<'a> {
        Audit {
            world,
            record,
            next: 0,
            wrong: Vec::new(),
        }
    }
}

impl Load for Audit<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let Some(finished) = self.record.get(self.next) else {
            return Next::Idle;
        };
        http::request(out, "GET", &format!("/v1/games/{}", finished.id), "", b"");
        self.next += 1;
        Next::Send {
            tag: self.next as u64 - 1,
            intended: now,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        let finished = &self.record[answer.tag as usize];
        self.wrong
            .extend(finished.differs(&self.world.lines, answer.body));
    }

    fn lost(&mut self, tag: u64) {
        self.wrong.push(format!(
            "game {} was not answered",
            self.record[tag as usize].id
        ));
    }
}

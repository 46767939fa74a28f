//! One worker: takes a question, answers it, takes the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Job, NoAnswer, Question, Shared, Wish};
use crate::engine::{Engine, Limits};
use crate::level;
use crate::uci::{Fault, Process, Time};
use crate::{Answer, By};

/// How often a question is put to UCI engines before the built-in engine answers.
const TRIES: usize = 2;
/// After so many faults in a row an engine is left alone for a while, so that no game waits for it.
const FAULTS_MAX: u32 = 3;
/// How long an engine may be late with its move.
const LATE: Duration = Duration::from_secs(1);
const REST: Duration = Duration::from_secs(60);
/// Nobody calculates longer for one answer.
const TIME_MAX: Duration = Duration::from_secs(3600);
/// The table of the built-in engine is never larger.
const TABLE_MAX: usize = 64 << 20;

/// An engine that is running, by its place among the configured ones.
struct Running {
    which: usize,
    process: Process,
}

struct Worker {
    shared: Arc<Shared>,
    running: Option<Running>,
    /// Lent to a thread while it calculates.
    built_in: Option<Engine>,
    faults_in_a_row: u32,
    rests_until: Option<Instant>,
}

/// Works until the pool is closed.
pub(super) async fn run(shared: Arc<Shared>) {
    let mut worker = Worker {
        shared,
        running: None,
        built_in: None,
        faults_in_a_row: 0,
        rests_until: None,
    };
    loop {
        match worker.shared.waiting.acquire().await {
            Ok(permit) => permit.forget(),
            Err(_) => break,
        }
        let (popped, waiting) = {
            let mut queue = worker.shared.queue();
            (queue.pop(), queue.len())
        };
        let Some(Job {
            mut question,
            asked,
            tell,
        }) = popped
        else {
            continue;
        };
        if tell.is_closed() {
            continue;
        }
        let workers = worker.shared.config.workers.max(1);
        question.time = share(&question, asked.elapsed(), waiting / workers);
        question.within = question.within.saturating_sub(asked.elapsed());
        worker.shared.busy.fetch_add(1, Ordering::Relaxed);
        let answer = worker.answer(question).await;
        worker.shared.busy.fetch_sub(1, Ordering::Relaxed);
        if let Ok(answer) = &answer {
            let shared = &worker.shared;
            let by_uci = u64::from(answer.by == By::Uci);
            shared.by_uci.fetch_add(by_uci, Ordering::Relaxed);
            // Last, so that nobody sees an answer without who gave it.
            shared.answered.fetch_add(1, Ordering::Release);
        }
        // Who no longer waits does not mind.
        drop(tell.send(answer));
    }
    if let Some(running) = worker.running.take() {
        running.process.end().await;
    }
}

/// How long a question may take when so many wait for the same worker: a queue that grows makes answers quicker
/// until it does not grow any more. The first depth of a search is always finished.
fn share(question: &Question, waited: Duration, waiting: usize) -> Duration {
    let crowd = 1 + waiting / 4;
    let left = question.within.saturating_sub(waited);
    let time = question.time.min(TIME_MAX);
    (time / u32::try_from(crowd).unwrap_or(u32::MAX)).min(left)
}

impl Worker {
    async fn answer(&mut self, question: Question) -> Result<Answer, NoAnswer> {
        if let Some(limits) = self.limits_for_uci(&question) {
            let begun = Instant::now();
            for _ in 0..TRIES {
                match self.by_uci(&question, limits).await {
                    Ok(answer) => {
                        self.faults_in_a_row = 0;
                        return Ok(answer);
                    }
                    Err(Fault::NotAble) => break,
                    Err(fault) => self.note(&fault).await,
                }
                // What is left of the clock is for the built-in engine.
                if self.rests() || begun.elapsed() > question.within / 4 {
                    break;
                }
            }
        }
        self.by_built_in(question).await
    }

    /// What a UCI engine is asked for; none if the built-in engine plays.
    fn limits_for_uci(&self, question: &Question) -> Option<Limits> {
        let limits = match question.wish {
            Wish::Level(level) => {
                let strength = level.strength();
                let theory = crate::book::knows(&question.situation, strength.book);
                (strength.engine_nodes > 0 && !theory).then(|| Limits::nodes(strength.engine_nodes))
            }
            Wish::Best(limits) => Some(limits),
            Wish::BuiltIn(_) => None,
        };
        limits.filter(|_| !self.rests())
    }

    fn rests(&self) -> bool {
        self.rests_until.is_some_and(|until| Instant::now() < until)
    }

    async fn note(&mut self, fault: &Fault) {
        tracing::warn!(%fault, "a UCI engine failed and is started again");
        self.shared.faults.fetch_add(1, Ordering::Relaxed);
        self.faults_in_a_row += 1;
        if self.faults_in_a_row >= FAULTS_MAX {
            self.faults_in_a_row = 0;
            self.rests_until = Some(Instant::now() + REST);
        }
        if let Some(running) = self.running.take() {
            running.process.end().await;
        }
    }

    async fn by_uci(&mut self, question: &Question, limits: Limits) -> Result<Answer, Fault> {
        let variant = question.situation.variant();
        for which in 0..self.shared.config.engines.len() {
            let known = self.shared.abilities()[which].clone();
            if known.is_some_and(|ability| !ability.plays(variant)) {
                continue;
            }
            let process = self.process(which, question.within / 4).await?;
            if process.ability.plays(variant) {
                let (time, patience) = (Time::Move(question.time), (question.within / 5).min(LATE));
                let asked = process.ask(&question.situation, limits, time, patience);
                return asked.await;
            }
        }
        Err(Fault::NotAble)
    }

    /// That engine, running.
    async fn process(&mut self, which: usize, patience: Duration) -> Result<&mut Process, Fault> {
        if self
            .running
            .as_ref()
            .is_none_or(|running| running.which != which)
        {
            if let Some(other) = self.running.take() {
                other.process.end().await;
            }
            let config = &self.shared.config;
            let megabytes = (config.megabytes / 2 / config.workers.max(1) as u32).max(1);
            self.shared.starts.fetch_add(1, Ordering::Relaxed);
            let process = Process::start(&config.engines[which], megabytes, patience).await?;
            tracing::debug!(id = process.id(), "a UCI engine was started");
            self.shared.abilities()[which] = Some(process.ability.clone());
            self.running = Some(Running { which, process });
        }
        self.running
            .as_mut()
            .map(|running| &mut running.process)
            .ok_or(Fault::Died)
    }

    async fn by_built_in(&mut self, question: Question) -> Result<Answer, NoAnswer> {
        let config = &self.shared.config;
        let bytes = (config.megabytes as usize) << 19;
        let bytes = (bytes / config.workers.max(1)).min(TABLE_MAX);
        let mut engine = self.built_in.take().unwrap_or_else(|| Engine::new(bytes));
        // If the runtime ends or the caller is gone, the thread must not go on.
        let gone = Gone(Arc::new(AtomicBool::new(false)));
        let stopped = gone.0.clone();
        let thread = tokio::task::spawn_blocking(move || {
            let until = Instant::now() + question.time;
            let mut stop = || stopped.load(Ordering::Relaxed) || Instant::now() >= until;
            let answer = calculate(&mut engine, &question, &mut stop);
            (engine, answer)
        });
        match thread.await {
            Ok((engine, answer)) => {
                self.built_in = Some(engine);
                answer.ok_or(NoAnswer::Over)
            }
            Err(error) => {
                tracing::error!(%error, "the built-in engine failed");
                Err(NoAnswer::Closed)
            }
        }
    }
}

/// Sets a flag when it is dropped.
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn calculate(
    engine: &mut Engine,
    question: &Question,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Answer> {
    let situation = &question.situation;
    match question.wish {
        Wish::Level(level) => {
            let all = Limits::nodes(u64::MAX);
            level::pick(engine, situation, level, all, question.seed, stop)
        }
        Wish::Best(limits) | Wish::BuiltIn(limits) => engine
            .search_until(situation, limits, stop)
            .map(|found| Answer::from_found(found, By::BuiltIn)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Urgency;
    use crate::situation::Situation;

    #[test]
    fn a_crowd_makes_answers_quicker_and_the_clock_has_the_last_word() {
        let question = Question {
            game: 1,
            urgency: Urgency::Live,
            situation: Situation::usual(chess::rules::Variant::Standard),
            wish: Wish::BuiltIn(Limits::nodes(1)),
            time: Duration::from_millis(1000),
            within: Duration::from_millis(5000),
            seed: 1,
        };
        let share =
            |waited, waiting| share(&question, Duration::from_millis(waited), waiting).as_millis();
        assert_eq!(share(0, 0), 1000);
        assert_eq!(share(0, 36), 100);
        assert_eq!(share(4_900, 0), 100);
        assert_eq!(share(6_000, 0), 0);
        let for_ever = Question {
            time: Duration::MAX,
            within: Duration::MAX,
            ..question.clone()
        };
        assert_eq!(super::share(&for_ever, Duration::ZERO, 0), TIME_MAX);
    }
}

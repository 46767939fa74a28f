//! What happens to the node: time, a disk of many moods, crashes and stops.

use chess::Millis;

use crate::rng::Rng;
use crate::rules::{Checked, ensure};
use crate::run::{Deed, World};
use crate::sabotage::{Sabotage, forget_a_change};
use crate::turns::random_fate;

/// How the disk is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Disk {
    /// Everything that waits is done by the next tick.
    Good,
    /// Things are done one by one, some time.
    Slow,
    /// And they may fail.
    Bad,
    /// Everything is done by the next tick, but nothing can be written.
    Full,
}

/// What a run is inclined to; every seed has its own.
pub(crate) struct Habits {
    pub(crate) deeds: Vec<(u64, Deed)>,
    disks: Vec<(u64, Disk)>,
    /// Whether time passes in small steps or in large ones, in percent.
    haste: u64,
}

impl Habits {
    pub(crate) fn random(rng: &mut Rng) -> Habits {
        let deeds = vec![
            (1_000, Deed::Ask),
            (rng.pick(&[100, 400, 800]), Deed::Wait),
            (rng.pick(&[50, 300, 600]), Deed::WorkOfDisk),
            (rng.pick(&[10, 50, 200]), Deed::Chore),
            (rng.pick(&[0, 10, 40]), Deed::Weather),
            (rng.pick(&[0, 0, 2, 10]), Deed::Jump),
            (rng.pick(&[0, 2, 10, 50]), Deed::Crash),
            (rng.pick(&[0, 1, 5, 20]), Deed::Stop),
            (rng.pick(&[0, 50, 200]), Deed::Come),
            (rng.pick(&[0, 10, 100]), Deed::Go),
        ];
        let disks = vec![
            (rng.pick(&[10, 30]), Disk::Good),
            (rng.pick(&[0, 10, 30]), Disk::Slow),
            (rng.pick(&[0, 10, 30]), Disk::Bad),
            (rng.pick(&[0, 0, 5]), Disk::Full),
        ];
        Habits {
            deeds,
            disks,
            haste: rng.pick(&[20, 60, 90]),
        }
    }
}

/// How often the node looks at its clocks.
const TICK: Millis = Millis(20);

impl World {
    /// Lets some time pass.
    pub(crate) fn wait(&mut self) -> Checked {
        let longest = if self.rng.percent(self.habits.haste) {
            50
        } else {
            self.rng.pick(&[500, 500, 3_000, 3_000, 20_000])
        };
        let span = Millis(self.rng.below(longest) as u32);
        self.say(|| format!("wait {span}"));
        self.pass(span)
    }

    /// Lets time pass, with all its ticks.
    pub(crate) fn pass(&mut self, span: Millis) -> Checked {
        let end = self.node.now() + span;
        while self.next_tick <= end {
            self.node.set_now(self.next_tick);
            // One that stops leaves what comes up to the next start.
            if !self.book.is_closing {
                self.ticked_at = self.next_tick;
            }
            self.next_tick = self.next_tick + TICK;
            if self.options.sabotage != Some(Sabotage::NoTicks) {
                self.node.live.tick();
            }
            self.let_disk_work()?;
            self.deliver()?;
            self.tell()?;
        }
        self.node.set_now(end);
        if self.disk != Disk::Good {
            self.book.disturb(end);
        }
        Ok(())
    }

    /// A quick disk does all there is to do.
    pub(crate) fn let_disk_work(&mut self) -> Checked {
        let now = self.node.now();
        if self.disk != Disk::Good {
            self.book.disturb(now);
        }
        if self.disk == Disk::Full && self.node.control.pending() > 0 {
            self.book.fault(now);
        }
        if matches!(self.disk, Disk::Good | Disk::Full) {
            let is_calm = self.node.drain(self.disk == Disk::Full, &mut self.rng);
            ensure!(is_calm, NothingSpins, None, "the node keeps the disk busy");
        }
        Ok(())
    }

    /// The disk does a little, or fails to.
    pub(crate) fn work_of_disk(&mut self) {
        let control = &self.node.control;
        let (writes, loads) = (control.pending_writes(), control.pending_loads());
        let many = self.rng.within(1, 4) as usize;
        let is_load = loads > 0 && (writes == 0 || self.rng.percent(50));
        let index = self.rng.below(loads.max(1) as u64) as usize;
        if self.disk == Disk::Full {
            return;
        }
        if self.disk != Disk::Bad || self.rng.percent(60) {
            if is_load {
                control.complete_load(index);
            } else {
                control.complete_next_batch(many);
            }
        } else if is_load {
            self.book.fault(self.node.now());
            self.say(|| format!("load {index} fails"));
            self.node.control.fail_load(index);
        } else if writes > 0 {
            let fate = random_fate(&mut self.rng);
            self.book.fault(self.node.now());
            self.say(|| format!("{many} of {writes} writes fail: {fate:?}"));
            self.node.control.fail_next_batch(many, fate);
        }
    }

    /// What the server does besides serving.
    pub(crate) fn chore(&mut self) {
        match self.rng.below(5) {
            0 => self.fold(),
            1 => {
                self.node.live.evict();
            }
            2 => self.node.live.heartbeat(),
            3 => self.rival(),
            _ if self.options.sabotage == Some(Sabotage::NoTicks) => {}
            _ => self.node.live.tick(),
        }
    }

    pub(crate) fn change_weather(&mut self) {
        let disk = self.rng.weighted(&self.habits.disks);
        self.set_disk(disk);
        self.say(|| format!("the disk is {:?}", self.disk));
        self.book.disturb(self.node.now());
    }

    pub(crate) fn set_disk(&mut self, disk: Disk) {
        self.disk = disk;
        self.interleaving.set_disk(disk);
    }

    /// The machine is suspended: time goes on and nobody looks.
    pub(crate) fn jump(&mut self) {
        let span = self.random_gap();
        self.node.set_now(self.node.now() + span);
        self.next_tick = self.node.now();
        self.say(|| format!("jumped {span}"));
        self.book.disturb(self.node.now());
    }

    /// The process dies at any moment and is started again some time later.
    pub(crate) fn crash(&mut self) -> Checked {
        let waiting = self.node.control.pending_writes() as u64;
        let synced = self.rng.within(0, waiting) as usize;
        self.say(|| format!("crash, {synced} of {waiting} writes are on the disk"));
        self.book.counts.crashes += 1;
        self.node.die(synced);
        self.book.orphan_all();
        self.restart()
    }

    /// The process stops as it should: it refuses new work, finishes what is
    /// in hand, and folds.
    pub(crate) fn stop(&mut self) -> Checked {
        self.say(|| "clean stop".into());
        self.book.counts.stops += 1;
        self.book.is_closing = true;
        self.node.live.close();
        self.book.closed_at = Some(self.node.now());
        if self.rng.percent(50) {
            self.ask();
        }
        if self.rng.percent(50) {
            // What is in hand takes its time, and no flag falls meanwhile.
            let span = Millis(self.rng.below(3_000) as u32);
            self.pass(span)?;
            self.book.disturb(self.node.now());
        }
        self.set_disk(Disk::Good);
        self.fold_all()?;
        self.check_stored()?;
        if self.options.sabotage == Some(Sabotage::ForgottenChange) {
            forget_a_change(&self.node.store);
        }
        self.node.die(0);
        self.restart()
    }

    /// Some time later the process is started again; sometimes it dies at once.
    fn restart(&mut self) -> Checked {
        self.audience.disperse();
        loop {
            let span = self.random_gap();
            self.node.set_now(self.node.now() + span);
            let outage = self.node.rise();
            self.say(|| format!("started after {span}, {outage:?}"));
            self.book.restarted(outage, self.node.now())?;
            if !self.rng.percent(10) {
                break;
            }
            self.say(|| "crash at start".into());
            self.node.die(0);
        }
        self.next_tick = self.node.now();
        self.ticked_at = self.next_tick;
        Ok(())
    }

    /// Mostly short, rarely days.
    fn random_gap(&mut self) -> Millis {
        let longest = self.rng.weighted(&[
            (20, 1),
            (40, 2_000),
            (30, 60_000),
            (6, 3_600_000),
            (1, 40 * 86_400_000),
        ]);
        Millis(self.rng.below(longest) as u32)
    }
}

//! What is looked up when somebody asks: the store, the live core, the process.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

use super::process;
use crate::play::App;

/// Asks the parts of the server how they are.
pub(super) struct Gauges {
    app: App,
}

impl Gauges {
    pub(super) fn new(app: &App) -> Gauges {
        Gauges { app: app.clone() }
    }
}

impl fmt::Debug for Gauges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Gauges")
    }
}

/// What each number is.
#[rustfmt::skip]
const HELP: &[(&str, &str)] = &[
    ("games_resident", "Games in memory"),
    ("games_armed", "Games with a deadline"),
    ("games_busy", "Games with a change in flight or on their way in"),
    ("games_set_aside", "Games that nobody can go on with: what is stored is not what was acknowledged"),
    ("changes_refused", "Whether no change is accepted because the store fails"),
    ("changes", "Changes made to games"),
    ("conflicts", "Commits that found the game changed by somebody else"),
    ("conditional_moves_played", "Moves played for their owners because the condition held"),
    ("deadlines", "Deadlines that have come up"),
    ("table_panics", "How often looking at a game panicked; it is tried again"),
    ("games_left_out_of_lists", "Games that lists left out because what is stored of them is damaged"),
    ("deadline_late_seconds_max", "How late the latest of them was noticed"),
    ("tickets_waiting", "Players who wait to be paired, at all nodes, as of this node's last look"),
    ("bot_games", "Games that bots of the server's own play, at all nodes, as of this node's last look"),
    ("bot_games_attended", "Games in which a bot of the server's own has something to do"),
    ("bot_moves", "Moves that bots made"),
    ("bot_moves_hurried", "Moves of bots that could not wait for their turn to be calculated"),
    ("bot_move_seconds", "Time that finding them took, waiting included, altogether"),
    ("bot_questions_waiting", "Positions that wait for an engine"),
    ("bot_questions_busy", "Positions that engines look at"),
    ("bot_answers", "Positions that engines looked at"),
    ("bot_answers_uci", "Positions that UCI engines looked at"),
    ("analyses", "Finished games that were analysed"),
    ("engine_starts", "How often a UCI engine was started"),
    ("engine_faults", "How often a UCI engine hung, died or answered rubbish, and was started again"),
    ("connections", "Connections that are open"),
    ("connections_refused", "Connections that were refused as too many"),
    ("xmpp_connections", "Components that are connected to an XMPP server"),
    ("xmpp_stanzas", "Stanzas that were received by XMPP"),
    ("xmpp_refused", "Those of them that were refused"),
    ("streams", "Streams that are open"),
    ("streams_resynced", "Subscribers brought forward"),
    ("streams_stuck", "Subscribers given up as too slow"),
    ("news_lost", "News that waited for too many others"),
    ("news_failed", "News that could not be told, after which their room was repaired"),
    ("task_failures", "Tasks of the server's own that failed and were started again"),
    ("fan_out_lag_seconds", "How long the last news waited to be told"),
    ("fan_out_told", "News that were told"),
    ("fan_out_seconds", "Time they waited, altogether"),
    ("store_commits", "Changes made durable"),
    ("store_batches", "Transactions they were in"),
    ("store_failures", "Transactions that failed"),
    ("store_batch_max", "Changes in the largest transaction"),
    ("store_waiting", "Writes that are waiting"),
    ("store_wal_bytes", "Size of the write-ahead log"),
    ("store_file_bytes", "Size of the database"),
    ("store_files_lost", "Whether the database's files were deleted, replaced or damaged while in use (1) or not (0)"),
    ("store_commit_seconds_max", "The slowest commit"),
    ("replica_reachable", "Whether the replica answers (1) or not (0)"),
    ("replica_lag_seconds", "How far the replica was behind when it last answered"),
    ("replica_reads", "Questions that the replica answered"),
    ("replica_misses", "Questions that it could have answered and the store was asked"),
    ("clock_ahead_seconds", "How far the games' time is ahead of the machine's clock"),
    ("nodes_live", "Nodes that are there, this one too, as this one knows"),
    ("store_reachable", "Whether the last heartbeat reached the store (1) or not (0)"),
    ("heartbeat_seconds", "How long the last heartbeat took"),
    ("outages", "Times in which nobody could play, heard of since the start"),
    ("confirmations", "Answers that were confirmed by a look at the version in the store"),
    ("clock_uncertainty_seconds", "How far the games' time may be off"),
    ("clock_offset_seconds", "How far the time that all nodes follow is ahead of the machine's clock"),
    ("bus_connected", "Whether other nodes can be reached (1) or not (0)"),
    ("bus_published", "Messages given to the bus"),
    ("bus_received", "Messages heard on the bus"),
    ("bus_dropped", "Messages that got lost on their way out or in"),
    ("rooms_behind", "Rooms found to be behind the store: what the bus had lost"),
    ("process_resident_bytes", "Memory the process uses"),
    ("process_open_files", "Open files and sockets"),
    ("process_open_files_max", "How many it may have"),
    ("process_cpu_seconds", "Processor time used"),
    ("purged_guests", "Guests who never played, forgotten"),
    ("purged_tokens", "Ended tokens that were forgotten"),
    ("purged_keys", "Idempotency keys that were forgotten"),
    ("mails_sent", "Letters that were sent"),
    ("mails_failed", "Letters that could not be sent and are tried again"),
    ("mails_dropped", "Letters that were given up: refused for good, or tried too often"),
    ("pushes_sent", "Messages that push services took"),
    ("pushes_failed", "Messages that push services did not take and that are tried again"),
    ("pushes_dropped", "Messages that were given up: the browser is gone, or tried too often"),
    ("notifications_waiting_seconds", "How long the oldest notification that is due has waited"),
    ("purged_events", "Events of the outbox that were forgotten"),
    ("purged_notifications", "Records of what was told that were forgotten"),
    ("purged_deliveries", "Deliveries to webhooks that were forgotten"),
    ("deliveries_delivered", "Deliveries that webhooks took"),
    ("deliveries_failed", "Tries to deliver that failed, after which there is another"),
    ("deliveries_dead", "Deliveries that were given up"),
    ("deliveries_waiting", "Deliveries to be made, at all nodes, as of this node's last look"),
    ("deliveries_oldest_seconds", "How long the oldest of them has been waiting"),
];

impl Collector for Gauges {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut out = Out(encoder);
        self.live(&mut out)?;
        self.nodes(&mut out)?;
        self.rooms(&mut out)?;
        self.house(&mut out)?;
        self.store(&mut out)?;
        self.purged(&mut out)?;
        self.told(&mut out)?;
        self.deliveries(&mut out)?;
        self.process(&mut out)
    }
}

impl Gauges {
    fn live(&self, out: &mut Out<'_>) -> fmt::Result {
        let ahead = self.app.clock.ahead_ms() as f64 / 1000.0;
        out.gauge("clock_ahead_seconds", ahead)?;
        let live = self.app.games.live().stats();
        out.gauge("games_resident", live.resident as f64)?;
        out.gauge("games_armed", live.armed as f64)?;
        out.gauge("games_busy", live.busy as f64)?;
        out.gauge("games_set_aside", live.set_aside as f64)?;
        let is_refusing = self.app.games.live().refuses_since().is_some();
        out.gauge("changes_refused", f64::from(u8::from(is_refusing)))?;
        out.counter("changes", live.changes)?;
        out.counter("conflicts", live.conflicts)?;
        let played = self.app.rooms.slow().played();
        out.counter("conditional_moves_played", played)?;
        out.counter("deadlines", live.deadlines)?;
        out.counter("table_panics", live.panics)?;
        out.counter("games_left_out_of_lists", live.unlisted)?;
        let latest = live.latest_ms as f64 / 1000.0;
        out.gauge("deadline_late_seconds_max", latest)
    }

    fn nodes(&self, out: &mut Out<'_>) -> fmt::Result {
        let live = self.app.games.live();
        let flag = |is: bool| f64::from(u8::from(is));
        out.gauge("nodes_live", live.nodes().len().max(1) as f64)?;
        let is_reachable = live.is_current() && live.refuses_since().is_none();
        out.gauge("store_reachable", flag(is_reachable))?;
        let (took_us, outages) = live.heartbeats();
        out.gauge("heartbeat_seconds", took_us as f64 / 1e6)?;
        out.counter("outages", outages)?;
        out.counter("confirmations", live.stats().confirmations)?;
        let uncertain = self.app.clock.uncertainty_us() as f64 / 1e6;
        out.gauge("clock_uncertainty_seconds", uncertain)?;
        let offset = self.app.clock.ahead_ms() as f64 / 1000.0;
        out.gauge("clock_offset_seconds", offset)?;
        let (bus, behind) = self.app.rooms.bus_stats().unwrap_or_default();
        let is_alone = self.app.rooms.bus_stats().is_none();
        out.gauge("bus_connected", flag(is_alone || bus.is_connected))?;
        out.counter("bus_published", bus.published)?;
        out.counter("bus_received", bus.received)?;
        out.counter("bus_dropped", bus.dropped + bus.missed)?;
        out.counter("rooms_behind", behind)
    }

    fn rooms(&self, out: &mut Out<'_>) -> fmt::Result {
        let rooms = self.app.rooms.stats();
        let connections = &self.app.connections;
        let waiting = self.app.matchmaker.waiting();
        out.gauge("tickets_waiting", waiting as f64)?;
        out.gauge("connections", connections.open() as f64)?;
        out.counter("connections_refused", connections.refused())?;
        let [connected, received, refused] = self.app.components.counts();
        out.gauge("xmpp_connections", connected as f64)?;
        out.counter("xmpp_stanzas", received)?;
        out.counter("xmpp_refused", refused)?;
        out.gauge("streams", rooms.subscribers as f64)?;
        out.counter("streams_resynced", rooms.resyncs)?;
        out.counter("streams_stuck", rooms.stuck)?;
        out.counter("news_lost", rooms.lost)?;
        out.counter("news_failed", rooms.failed)?;
        out.counter("task_failures", self.app.tasks.failures())?;
        let lag = rooms.lag_us as f64 / 1e6;
        out.gauge("fan_out_lag_seconds", lag)?;
        out.counter("fan_out_told", rooms.told)?;
        let waited = rooms.lag_us_sum as f64 / 1e6;
        out.float_counter("fan_out_seconds", waited)
    }

    fn house(&self, out: &mut Out<'_>) -> fmt::Result {
        let house = self.app.house.stats();
        out.gauge("bot_games", house.running as f64)?;
        out.gauge("bot_games_attended", house.attended as f64)?;
        out.counter("bot_moves", house.moves)?;
        out.counter("bot_moves_hurried", house.hurried)?;
        out.float_counter("bot_move_seconds", house.seconds)?;
        let engines = house.engines;
        out.gauge("bot_questions_waiting", engines.waiting as f64)?;
        out.gauge("bot_questions_busy", engines.busy as f64)?;
        out.counter("bot_answers", engines.answered)?;
        out.counter("bot_answers_uci", engines.by_uci)?;
        out.counter("analyses", self.app.analyst.done())?;
        out.counter("engine_starts", engines.starts)?;
        out.counter("engine_faults", engines.faults)
    }

    fn store(&self, out: &mut Out<'_>) -> fmt::Result {
        let store = self.app.store.stats();
        out.counter("store_commits", store.commits)?;
        out.counter("store_batches", store.batches)?;
        out.counter("store_failures", store.failures)?;
        out.gauge("store_batch_max", store.batch_max as f64)?;
        out.gauge("store_waiting", store.waiting as f64)?;
        out.gauge("store_wal_bytes", store.wal_bytes as f64)?;
        out.gauge("store_file_bytes", store.file_bytes as f64)?;
        out.gauge(
            "store_files_lost",
            f64::from(u8::from(store.loss.is_some())),
        )?;
        let slowest = store.latency_us_max as f64 / 1e6;
        out.gauge("store_commit_seconds_max", slowest)?;
        self.replica(out)?;
        let bounds = store::LATENCY_BOUNDS_US.iter().map(|us| *us as f64 / 1e6);
        let mut buckets: Vec<(f64, u64)> = bounds.zip(store.latency_counts).collect();
        let counted: u64 = store.latency_counts.iter().sum();
        // What is infinite is written as `+Inf`, without which there are no quantiles.
        buckets.push((f64::INFINITY, store.commits.saturating_sub(counted)));
        let help = "Time from handing over a change to its being durable";
        let mut metric =
            out.0
                .encode_descriptor("store_commit_seconds", help, None, MetricType::Histogram)?;
        let sum = store.latency_us_sum as f64 / 1e6;
        metric.encode_histogram::<NoLabelSet>(sum, store.commits, &buckets, None)
    }

    /// Nothing where there is none.
    fn replica(&self, out: &mut Out<'_>) -> fmt::Result {
        let Some(replica) = self.app.store.stats().replica else {
            return Ok(());
        };
        let is_there = f64::from(u8::from(replica.lag_ms.is_some()));
        out.gauge("replica_reachable", is_there)?;
        let lag = replica.lag_ms.unwrap_or_default() as f64 / 1000.0;
        out.gauge("replica_lag_seconds", lag)?;
        out.counter("replica_reads", replica.reads)?;
        out.counter("replica_misses", replica.misses)
    }

    fn purged(&self, out: &mut Out<'_>) -> fmt::Result {
        let purged = &self.app.purged;
        out.counter("purged_guests", purged.guests.load(Ordering::Relaxed))?;
        out.counter("purged_tokens", purged.tokens.load(Ordering::Relaxed))?;
        out.counter("purged_keys", purged.keys.load(Ordering::Relaxed))?;
        out.counter("purged_events", purged.events.load(Ordering::Relaxed))?;
        let told = purged.notifications.load(Ordering::Relaxed);
        out.counter("purged_notifications", told)?;
        let deliveries = purged.deliveries.load(Ordering::Relaxed);
        out.counter("purged_deliveries", deliveries)
    }

    fn told(&self, out: &mut Out<'_>) -> fmt::Result {
        let counts = &self.app.notifier.counts;
        let whole = |count: &AtomicU64| count.load(Ordering::Relaxed);
        for (place, [sent, failed, dropped]) in [
            ["mails_sent", "mails_failed", "mails_dropped"],
            ["pushes_sent", "pushes_failed", "pushes_dropped"],
        ]
        .into_iter()
        .enumerate()
        {
            out.counter(sent, whole(&counts.sent[place]))?;
            out.counter(failed, whole(&counts.failed[place]))?;
            out.counter(dropped, whole(&counts.dropped[place]))?;
        }
        let waited = whole(&counts.oldest_ms) as f64 / 1000.0;
        out.gauge("notifications_waiting_seconds", waited)
    }

    fn deliveries(&self, out: &mut Out<'_>) -> fmt::Result {
        let counts = &self.app.events.counts;
        out.counter(
            "deliveries_delivered",
            counts.delivered.load(Ordering::Relaxed),
        )?;
        out.counter("deliveries_failed", counts.failed.load(Ordering::Relaxed))?;
        out.counter("deliveries_dead", counts.dead.load(Ordering::Relaxed))?;
        let waiting = counts.waiting.load(Ordering::Relaxed);
        out.gauge("deliveries_waiting", waiting as f64)?;
        let oldest = match counts.oldest_ms.load(Ordering::Relaxed) {
            0 => 0,
            oldest => self.app.now().0.saturating_sub(oldest),
        };
        out.gauge("deliveries_oldest_seconds", oldest as f64 / 1000.0)
    }

    fn process(&self, out: &mut Out<'_>) -> fmt::Result {
        let Some(usage) = process::usage() else {
            return Ok(());
        };
        out.gauge("process_resident_bytes", usage.resident_bytes as f64)?;
        out.gauge("process_open_files", usage.open_files as f64)?;
        out.gauge("process_open_files_max", usage.open_files_max as f64)?;
        out.float_counter("process_cpu_seconds", usage.cpu_seconds)
    }
}

/// Writes one number after the other.
struct Out<'a>(DescriptorEncoder<'a>);

impl Out<'_> {
    fn gauge(&mut self, name: &str, value: f64) -> fmt::Result {
        self.write(name, &ConstGauge::new(value))
    }

    fn counter(&mut self, name: &str, value: u64) -> fmt::Result {
        self.write(name, &ConstCounter::new(value))
    }

    fn float_counter(&mut self, name: &str, value: f64) -> fmt::Result {
        self.write(name, &ConstCounter::new(value))
    }

    fn write(&mut self, name: &str, metric: &impl EncodeMetric) -> fmt::Result {
        let known = HELP.iter().find(|(of, _)| *of == name);
        let (_, help) = known.ok_or(fmt::Error)?;
        let kind = metric.metric_type();
        metric.encode(self.0.encode_descriptor(name, help, None, kind)?)
    }
}

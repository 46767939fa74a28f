//! What is looked up when somebody asks: the store, the live core, the process.

use std::fmt;
use std::sync::atomic::Ordering;

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

impl Collector for Gauges {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut out = Out(encoder);
        self.live(&mut out)?;
        self.rooms(&mut out)?;
        self.store(&mut out)?;
        self.clock(&mut out)?;
        self.purged(&mut out)?;
        self.process(&mut out)
    }
}

impl Gauges {
    fn live(&self, out: &mut Out<'_>) -> fmt::Result {
        let live = self.app.games.live().stats();
        out.gauge("games_resident", "Games in memory", live.resident as f64)?;
        out.gauge("games_armed", "Games with a deadline", live.armed as f64)?;
        out.gauge(
            "games_busy",
            "Games with a change in flight or on their way in",
            live.busy as f64,
        )?;
        out.gauge(
            "games_set_aside",
            "Games that nobody can go on with: what is stored is not what was acknowledged",
            live.set_aside as f64,
        )?;
        let is_refusing = self.app.games.live().refuses_since().is_some();
        out.gauge(
            "changes_refused",
            "Whether no change is accepted because the store fails",
            f64::from(u8::from(is_refusing)),
        )?;
        out.counter("changes", "Changes made to games", live.changes)?;
        out.counter(
            "conflicts",
            "Commits that found the game changed by somebody else",
            live.conflicts,
        )?;
        out.counter("deadlines", "Deadlines that have come up", live.deadlines)?;
        out.counter(
            "deadline_panics",
            "Games that panicked when their deadline had come, and are tried again",
            live.panics,
        )?;
        out.counter(
            "games_left_out_of_lists",
            "Games that lists left out because what is stored of them is damaged",
            live.unlisted,
        )?;
        let latest = live.latest_ms as f64 / 1000.0;
        out.gauge(
            "deadline_late_seconds_max",
            "How late the latest of them was noticed",
            latest,
        )
    }

    fn rooms(&self, out: &mut Out<'_>) -> fmt::Result {
        let rooms = self.app.rooms.stats();
        let connections = &self.app.connections;
        out.gauge(
            "connections",
            "Connections that are open",
            connections.open() as f64,
        )?;
        out.counter(
            "connections_refused",
            "Connections that were refused as too many",
            connections.refused(),
        )?;
        out.gauge("streams", "Streams that are open", rooms.subscribers as f64)?;
        out.counter(
            "streams_resynced",
            "Subscribers brought forward",
            rooms.resyncs,
        )?;
        out.counter(
            "streams_stuck",
            "Subscribers given up as too slow",
            rooms.stuck,
        )?;
        out.counter(
            "news_lost",
            "News that waited for too many others",
            rooms.lost,
        )?;
        out.counter(
            "news_failed",
            "News that could not be told, after which their room was repaired",
            rooms.failed,
        )?;
        out.counter(
            "task_failures",
            "Tasks of the server's own that failed and were started again",
            self.app.tasks.failures(),
        )?;
        let lag = rooms.lag_us as f64 / 1e6;
        out.gauge(
            "fan_out_lag_seconds",
            "How long the last news waited to be told",
            lag,
        )?;
        out.counter("fan_out_told", "News that were told", rooms.told)?;
        let waited = rooms.lag_us_sum as f64 / 1e6;
        out.float_counter("fan_out_seconds", "Time they waited, altogether", waited)
    }

    fn store(&self, out: &mut Out<'_>) -> fmt::Result {
        let store = self.app.store.stats();
        out.counter("store_commits", "Changes made durable", store.commits)?;
        out.counter("store_batches", "Transactions they were in", store.batches)?;
        out.counter("store_failures", "Transactions that failed", store.failures)?;
        out.gauge(
            "store_batch_max",
            "Changes in the largest transaction",
            store.batch_max as f64,
        )?;
        out.gauge(
            "store_waiting",
            "Writes that are waiting",
            store.waiting as f64,
        )?;
        out.gauge(
            "store_wal_bytes",
            "Size of the write-ahead log",
            store.wal_bytes as f64,
        )?;
        out.gauge(
            "store_file_bytes",
            "Size of the database",
            store.file_bytes as f64,
        )?;
        out.gauge(
            "store_files_lost",
            "Whether the database's files were deleted, replaced or damaged while in use (1) or not (0)",
            f64::from(u8::from(store.loss.is_some())),
        )?;
        let slowest = store.latency_us_max as f64 / 1e6;
        out.gauge("store_commit_seconds_max", "The slowest commit", slowest)?;
        let bounds = store::LATENCY_BOUNDS_US.iter().map(|us| *us as f64 / 1e6);
        let mut buckets: Vec<(f64, u64)> = bounds.zip(store.latency_counts).collect();
        let counted: u64 = store.latency_counts.iter().sum();
        buckets.push((f64::MAX, store.commits.saturating_sub(counted)));
        let help = "Time from handing over a change to its being durable";
        let mut metric =
            out.0
                .encode_descriptor("store_commit_seconds", help, None, MetricType::Histogram)?;
        let sum = store.latency_us_sum as f64 / 1e6;
        metric.encode_histogram::<NoLabelSet>(sum, store.commits, &buckets, None)
    }

    fn clock(&self, out: &mut Out<'_>) -> fmt::Result {
        out.gauge(
            "clock_ahead_seconds",
            "How far the games' time is ahead of the machine's clock",
            self.app.clock.ahead_ms() as f64 / 1000.0,
        )
    }

    fn purged(&self, out: &mut Out<'_>) -> fmt::Result {
        let purged = &self.app.purged;
        for (name, help, count) in [
            (
                "purged_guests",
                "Guests who never played, forgotten",
                &purged.guests,
            ),
            (
                "purged_tokens",
                "Ended tokens that were forgotten",
                &purged.tokens,
            ),
            (
                "purged_keys",
                "Idempotency keys that were forgotten",
                &purged.keys,
            ),
        ] {
            out.counter(name, help, count.load(Ordering::Relaxed))?;
        }
        Ok(())
    }

    fn process(&self, out: &mut Out<'_>) -> fmt::Result {
        let Some(usage) = process::usage() else {
            return Ok(());
        };
        out.gauge(
            "process_resident_bytes",
            "Memory the process uses",
            usage.resident_bytes as f64,
        )?;
        out.gauge(
            "process_open_files",
            "Open files and sockets",
            usage.open_files as f64,
        )?;
        out.gauge(
            "process_open_files_max",
            "How many it may have",
            usage.open_files_max as f64,
        )?;
        out.float_counter(
            "process_cpu_seconds",
            "Processor time used",
            usage.cpu_seconds,
        )
    }
}

/// Writes one number after the other.
struct Out<'a>(DescriptorEncoder<'a>);

impl Out<'_> {
    fn gauge(&mut self, name: &str, help: &str, value: f64) -> fmt::Result {
        let gauge = ConstGauge::new(value);
        gauge.encode(
            self.0
                .encode_descriptor(name, help, None, gauge.metric_type())?,
        )
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) -> fmt::Result {
        let counter = ConstCounter::new(value);
        counter.encode(
            self.0
                .encode_descriptor(name, help, None, counter.metric_type())?,
        )
    }

    fn float_counter(&mut self, name: &str, help: &str, value: f64) -> fmt::Result {
        let counter = ConstCounter::new(value);
        counter.encode(
            self.0
                .encode_descriptor(name, help, None, counter.metric_type())?,
        )
    }
}

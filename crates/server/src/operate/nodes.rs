//! Being one of several nodes on one store.

use std::sync::Arc;

use chess::Millis;
use live::Member;
use live::bus::Bus;
use store::Store;
use tokio::runtime::Handle;

use super::StartError;
use crate::auth::Auth;
use crate::clock::Clock;
use crate::rooms::Rooms;
use crate::settings::Settings;

/// Makes this server known to the store it shares.
pub(super) async fn member(
    store: &Store,
    settings: &Settings,
    clock: &Clock,
) -> Result<Member, StartError> {
    let node = store.join(&name(settings)).await?;
    tracing::info!(node = node.0, name = name(settings), "this node");
    Ok(Member {
        node,
        time: Arc::new(clock.clone()),
        flag_delay: Millis(settings.flag_delay_ms),
    })
}

/// What this node is called: as its operator says, or as the machine is called.
pub(super) fn name(settings: &Settings) -> String {
    settings.node_name.clone().unwrap_or_else(|| {
        let uname = rustix::system::uname();
        uname.nodename().to_string_lossy().into_owned()
    })
}

/// The bus between the nodes of this store, and of no other.
pub(super) async fn bus(settings: &Settings, store: &Store) -> Result<Bus, StartError> {
    let space = format!("{:x}", store.space().await?);
    let bus = Bus::open(&settings.bus, &space, Handle::current());
    bus.map_err(|error| StartError::Setting(format!("bus: {error}")))
}

/// Whatever ended at any node is forgotten here with the next heartbeat.
pub(super) fn hear_revocations(rooms: &Rooms, auth: &Auth) {
    let auth = auth.clone();
    rooms.on_pulse(Box::new(move |beat, pulse, asked| {
        auth.heard(beat.revocation, &pulse.revocations, asked);
    }));
}

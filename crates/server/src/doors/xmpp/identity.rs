//! Who somebody is here whom the XMPP server vouches for, and what they are called there.
//!
//! A bare JID is an outside identity, with an account of its own from its first sight on.
//! If the owner of a local account linked it (`POST /v1/me/xmpp`), it is theirs instead.
//! An account from XMPP appears as its JID, every other as `name@arbiter.<domain>`.

use std::sync::Arc;

use chess::table::PlayerId;
use jid::BareJid;
use store::{AccountKind, OutsideIdentity};

use super::Door;
use crate::auth::{Caller, Person, Scope, Scopes};
use crate::limits::rates::{Rate, Whose};
use crate::problem::{Kind, Problem};

/// What XMPP's own identities are issued by; no other service may be called so.
pub(crate) const ISSUER: &str = "xmpp:";
/// Links of JIDs to local accounts.
pub(crate) const LINKED: &str = "xmpp-link:";
/// The longest JID that is taken, as outside identities are.
const JID_MAX: usize = 255;

fn identity(issuer: &str, jid: &BareJid) -> OutsideIdentity {
    OutsideIdentity {
        issuer: issuer.into(),
        subject: jid.as_str().into(),
    }
}

/// Whoever sends something: may do what a session may.
///
/// # Errors
/// `barred`; `bad_request` for a JID that nobody can have here; `rate_limited` if too many
/// new ones come from one server; `unavailable`.
pub(crate) async fn caller(door: &Door, jid: &BareJid) -> Result<Caller, Problem> {
    if jid.as_str().len() > JID_MAX || is_ours(door, jid) {
        return Err(Problem::bad_request("nobody can have this JID here"));
    }
    let name = jid.node().map(|node| node.as_str());
    let (own, linked) = (identity(ISSUER, jid), identity(LINKED, jid));
    let domain = jid.domain().as_str();
    let may_begin = || match is_at_home(door, domain) {
        true => Ok(()),
        false => door
            .app
            .rates
            .check(Rate::Registration, Whose::Name(domain)),
    };
    door.app.auth.vouched(own, linked, name, may_begin).await
}

/// The same in a room, where administrators are moderators. Elsewhere this door gives them
/// no more than a session does: who signs in to operate shows a password for it.
///
/// # Errors
/// As [`caller`].
pub(crate) async fn visitor(door: &Door, jid: &BareJid) -> Result<Caller, Problem> {
    let mut caller = caller(door, jid).await?;
    if caller.person.is_admin {
        let moderating = Scopes::of(&[Scope::Admin]);
        caller.scopes = Scopes::from_bits(caller.scopes.to_bits() | moderating.to_bits());
    }
    Ok(caller)
}

/// Whether that is the domain our components are part of: its operator makes the accounts
/// there. Anybody can have another server that knows any number of people.
fn is_at_home(door: &Door, domain: &str) -> bool {
    let ours = door.config.arbiter.domain().as_str();
    ours.split_once('.').is_some_and(|(_, home)| home == domain)
}

/// The account of a JID, if there is one: of somebody who was here, or a local one.
///
/// # Errors
/// Why the store cannot say.
pub(crate) async fn find(door: &Door, jid: &BareJid) -> Result<Option<Arc<Person>>, Problem> {
    let auth = &door.app.auth;
    if is_ours(door, jid) {
        let Some(node) = jid.node() else {
            return Ok(None);
        };
        let person = auth.person_by_name(node.as_str()).await?;
        return Ok(person.filter(|person| !person.deleted));
    }
    for issuer in [LINKED, ISSUER] {
        let who = identity(issuer, jid);
        if let Some(account) = door.app.store.account_by_outside(&who).await? {
            return Ok(auth.person(account.number).await?);
        }
    }
    Ok(None)
}

fn is_ours(door: &Door, jid: &BareJid) -> bool {
    let domain = jid.domain().as_str();
    domain == door.config.arbiter.as_str() || domain == door.config.games.as_str()
}

/// Where an account can be written to by XMPP, if it is linked or came from there.
///
/// # Errors
/// Why the store cannot say.
pub(crate) async fn reach(door: &Door, number: PlayerId) -> Result<Option<BareJid>, Problem> {
    let outside = door.app.store.outside_identity(number).await?;
    let known = outside.filter(|who| who.issuer == ISSUER || who.issuer == LINKED);
    Ok(known.and_then(|who| BareJid::new(&who.subject).ok()))
}

/// What an account is called in stanzas.
///
/// # Errors
/// Why the store cannot say.
pub(crate) async fn jid_of(door: &Door, number: PlayerId) -> Result<BareJid, Problem> {
    let person = door.app.auth.person(number).await?;
    let person = person.ok_or_else(|| Problem::not_found("there is no such account"))?;
    if person.kind == AccountKind::Outside && !person.deleted {
        if let Some(known) = door.jids.get(&number) {
            return Ok(known);
        }
        let outside = door.app.store.outside_identity(number).await?;
        let jid = outside.filter(|who| who.issuer == ISSUER);
        if let Some(jid) = jid.and_then(|who| BareJid::new(&who.subject).ok()) {
            door.jids.insert(number, jid.clone());
            return Ok(jid);
        }
    }
    let domain = door.config.arbiter.domain();
    let jid = domain.with_node_str(&person.id);
    jid.map_err(|_| Problem::new(Kind::Broken, "internal", "a name that is no JID's"))
}

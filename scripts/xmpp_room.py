"""The room at the XMPP door: who is there, who hears what, who must go. Used by scripts/xmpp.py."""

import asyncio
import xml.etree.ElementTree as ET

import slixmpp
from slixmpp.exceptions import IqError, PresenceError
from xmpp_play import begins
from xmpp_world import ARBITER, CLIENT, DOMAIN, GAME, GAMES, MUC, PATIENCE, STANZAS, Person, Refused
from xmpp_world import at, body, room, statuses

PING = "<ping xmlns='urn:xmpp:ping'/>"
BANTER = f"<banter xmlns='{GAME}'/>"


async def cannot_join(person: Person, game: str, nick: str) -> tuple[str, str]:
    try:
        await person["xep_0045"].join_muc_wait(slixmpp.JID(room(game)), nick, timeout=PATIENCE)
    except PresenceError as refused:
        return refused.presence["error"]["type"], refused.presence["error"]["condition"]
    raise AssertionError(f"{person.name} is in {game}")


async def refused_line(person: Person, number: str) -> tuple[str, str, str]:
    """Why a line came back."""
    back = await person.expect("the error", lambda e: e.get("id") == number and e.get("type") == "error")
    return Refused(back).what


async def is_gone(person: Person, nick: str, since: int | None = None) -> ET.Element:
    return await person.expect(
        f"{nick} is gone",
        lambda e: e.tag == f"{CLIENT}presence"
        and e.get("type") == "unavailable"
        and e.get("from").endswith(f"/{nick}"),
        since,
    )


async def observers_are_not_heard_by_players(world) -> None:
    white, black, olga, otto = await world.comes("talk-white", "talk-black", "olga", "otto")
    game = await begins(white, black)
    await olga.joins(game, "olga")
    await otto.joins(game, "otto")
    players, everybody = [white, black], [white, black, olga, otto]

    white.says(game, "Good luck!")
    for person in everybody:
        line = await person.reads("Good luck!")
        assert line.get("from") == f"{room(game)}/{white.name}" and line.get("type") == "groupchat"
    number = olga.says(game, "Nf3 would win")
    assert (await olga.reads("Nf3 would win")).get("id") == number
    await otto.reads("Nf3 would win")
    white.says(game, "He does not see it", BANTER)
    for person in (olga, otto, white):
        line = await person.reads("He does not see it")
        assert next(line.iter(f"{{{GAME}}}banter"), None) is not None, ET.tostring(line)
    # What comes after it has come: so what should not come has not.
    black.says(game, "Thanks")
    for person in everybody:
        await person.reads("Thanks")
    assert not white.knows("Nf3 would win") and not black.knows("Nf3 would win")
    assert not black.knows("He does not see it")

    # Whoever comes in the middle gets what they may know, and the whole state.
    for person, move in [(white, "e4"), (black, "e5")]:
        await person.does(f"<move>{move}</move>", game)
    [late] = await world.comes("late")
    _, state = await late.joins(game, "late")
    moves = [e.text.strip() for e in state.iter(f"{{{GAME}}}move")]
    inner = state.find(f"{{{GAME}}}state")
    assert moves == ["e2e4", "e7e5"] and inner.get("ply") == "2" and inner.get("number") == "2", ET.tostring(state)
    assert inner.get("fen") == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    assert [e.get("side") for e in state.findall(f"{{{GAME}}}time")] == ["black", "white"]
    assert late.knows("Nf3 would win") and late.knows("He does not see it") and late.knows("Thanks")
    black.mark()
    black["xep_0045"].leave_muc(room(game), black.name)
    assert "110" in statuses(await is_gone(black, black.name))
    since = len(black.heard)
    await black.joins(game, black.name)
    again = [body(e) for e in black.heard[since:]]
    assert "Thanks" in again and "Nf3 would win" not in again and "He does not see it" not in again, again

    # Clocks are told between moves.
    is_clock = lambda e: at(e, "time") is not None and len(e.find(f"{{{GAME}}}game")) == 2 and body(e) is None
    await olga.expect("the clocks", is_clock, len(olga.heard))

    await black.does("<resign/>", game)
    for person in players:
        await person.told("result", reason="resignation")
        await person.reads("Nf3 would win")
        await person.reads("He does not see it")
    otto.says(game, "Well played")
    for person in everybody:
        await person.reads("Well played")


async def the_room_keeps_order(world) -> None:
    white, black, noisy, quiet = await world.comes("host", "guest", "noisy", "quiet")
    game = await begins(white, black)
    assert await cannot_join(noisy, game, white.name) == ("cancel", "conflict")
    assert await cannot_join(noisy, game, "arbiter") == ("cancel", "conflict")
    assert await cannot_join(noisy, "1", "noisy") == ("cancel", "item-not-found")
    assert await cannot_join(noisy, "lobby", "noisy") == ("cancel", "item-not-found")
    await noisy.joins(game, "noisy")
    await quiet.joins(game, "quiet")
    assert await cannot_join(quiet, game, "noisy") == ("cancel", "conflict")

    # What does not belong to a room is refused.
    number = noisy.says(game, "x" * 5000)
    assert (await refused_line(noisy, number))[1:] == ("not-acceptable", "bad_chat")
    noisy.send_raw(f"<message type='chat' to='{room(game)}/{white.name}' id='pm'><body>e4!</body></message>")
    assert (await refused_line(noisy, "pm"))[1] == "not-allowed"
    noisy.send_raw(f"<message type='groupchat' to='{room(game)}' id='sub'><subject>mine</subject></message>")
    assert (await refused_line(noisy, "sub"))[1] == "forbidden"
    [stranger] = await world.comes("stranger")
    assert (await refused_line(stranger, stranger.says(game, "let me in")))[1] == "not-acceptable"

    # Nobody but the creator, and moderators, mutes and removes.
    muc = lambda person: person["xep_0045"]
    for person, nick in [(noisy, "quiet"), (black, "quiet")]:
        try:
            await muc(person).set_role(room(game), nick, "none", timeout=PATIENCE)
            raise AssertionError(f"{person.name} removed {nick}")
        except IqError as refused:
            assert refused.iq["error"]["condition"] == "forbidden"
    # To players those who watch have the names of their accounts.
    await muc(white).set_role(room(game), noisy.name, "visitor", timeout=PATIENCE)
    muted = lambda e: [i.get("role") for i in e.iter(f"{{{MUC}#user}}item")] == ["visitor"]
    await noisy.expect("being muted", muted)
    assert (await refused_line(noisy, noisy.says(game, "hey")))[1:] == ("forbidden", "muted")
    await muc(white).set_role(room(game), noisy.name, "participant", timeout=PATIENCE)
    noisy.says(game, "sorry")
    await quiet.reads("sorry")
    await muc(white).set_role(room(game), noisy.name, "none", timeout=PATIENCE)
    gone = await is_gone(noisy, "noisy")
    assert {"110", "307"} <= statuses(gone), ET.tostring(gone)
    assert "307" in statuses(await is_gone(quiet, "noisy"))
    assert await cannot_join(noisy, game, "noisy") == ("auth", "forbidden")
    try:
        await muc(white).set_role(room(game), black.name, "none", timeout=PATIENCE)
        raise AssertionError("a player was removed from their game")
    except IqError as refused:
        assert refused.iq["error"]["condition"] == "not-allowed"

    # Another nickname; leaving; vanishing.
    quiet.mark()
    quiet.send_raw(f"<presence to='{room(game)}/hushed'/>")
    changed = await is_gone(quiet, "quiet")
    assert {"110", "303"} <= statuses(changed), ET.tostring(changed)
    white.mark()
    quiet.vanish()
    await is_gone(white, quiet.name)
    await white.does("<abort/>", game)


async def private_rooms_are_for_the_invited(world) -> None:
    white, black, friend, other = await world.comes("p-white", "p-black", "p-friend", "p-other")
    game = await begins(white, black, "time='600' private='1'")
    for person in (friend, other):
        assert await cannot_join(person, game, person.name) == ("auth", "registration-required")
    assert (await other.refused("<resign/>", game))[1] == "item-not-found"
    white["xep_0045"].invite(room(game), friend.bare)
    invited = lambda e: e.find(f"{{{MUC}#user}}x/{{{MUC}#user}}invite") is not None
    await friend.expect("the invitation", invited)
    await friend.joins(game, "friend")
    assert await cannot_join(other, game, "other") == ("auth", "registration-required")
    listed = await other["xep_0030"].get_items(GAMES, timeout=PATIENCE)
    assert room(game) not in {str(item[0]) for item in listed["disco_items"]["items"]}
    try:
        await other["xep_0030"].get_info(room(game), timeout=PATIENCE)
        raise AssertionError("a private room shows")
    except IqError as refused:
        assert refused.iq["error"]["condition"] == "item-not-found"
    await white.does("<abort/>", game)


async def clients_look_around(world) -> None:
    white, black, other = await world.comes("d-white", "d-black", "d-other")
    game = await begins(white, black)
    disco = other["xep_0030"]
    about = lambda info: (
        {(i[0], i[1]) for i in info["disco_info"]["identities"]},
        set(info["disco_info"]["features"]),
    )
    identities, features = about(await disco.get_info(GAMES, timeout=PATIENCE))
    assert ("conference", "text") in identities and {MUC, "urn:xmpp:ping"} <= features, features
    _, features = about(await disco.get_info(ARBITER, timeout=PATIENCE))
    assert GAME in features, features
    identities, features = about(await disco.get_info(room(game), timeout=PATIENCE))
    assert ("conference", "text") in identities and {MUC, "muc_semianonymous", "muc_public"} <= features, features
    listed = await disco.get_items(GAMES, timeout=PATIENCE)
    names = {str(item[0]): item[2] for item in listed["disco_items"]["items"]}
    assert white.name in names[room(game)] and black.name in names[room(game)], names
    for where in (ARBITER, GAMES, room(game)):
        assert (await other.ask(where, PING, "get")).get("type") == "result"
    assert (await white.ask(f"{room(game)}/{white.name}", PING, "get")).get("type") == "result"
    try:
        await other.ask(f"{room(game)}/{other.name}", PING, "get")
        raise AssertionError("who is not there answers")
    except Refused as refused:
        assert refused.what[1] == "not-acceptable", refused
    await white.does("<abort/>", game)


PARTS = [
    observers_are_not_heard_by_players,
    the_room_keeps_order,
    private_rooms_are_for_the_invited,
    clients_look_around,
]

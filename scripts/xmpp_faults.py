"""The XMPP door while servers die: Prosody, Arbiter, one of several nodes. Used by scripts/xmpp.py."""

import asyncio

from xmpp_play import answers_pings, begins, known_to_be_gone
from xmpp_room import is_gone
from xmpp_world import ARBITER, GAME, Arbiter, Helper, Refused, Stopwatch, at, room, statuses, until

PING = "<ping xmlns='urn:xmpp:ping'/>"
TAKEOVER_SECONDS = 5


async def plays_on(white, black, game: str, moves: list[str], first: int) -> None:
    """Moves, from that ply on; both are in the room."""
    for ply, move in enumerate(moves, first):
        mover = white if ply % 2 else black
        await mover.does(f"<move ply='{ply}'>{move}</move>", game)
        for person in (white, black):
            await person.told("move", ply=str(ply))


async def joins_again(person, game: str, moves: list[str]) -> None:
    """A client that finds itself outside comes in again, and the state is what it was."""
    try:
        await person.ask(f"{room(game)}/{person.name}", PING, "get")
        raise AssertionError("somebody is in a room that has forgotten them")
    except Refused as refused:
        assert refused.what[1] == "not-acceptable", refused
    _, state = await person.joins(game, person.name)
    assert [e.text.strip() for e in state.iter(f"{{{GAME}}}move")] == moves


async def prosody_is_started_again(world) -> None:
    names = ("fp-white", "fp-black")
    white, black = await world.comes(*names)
    game = await begins(white, black)
    await plays_on(white, black, game, ["e4", "e5"], 1)
    await world.prosody.kill()
    await world.prosody.start()
    white, black = await world.comes(*names)
    await until("Arbiter is back", lambda: answers_pings(white))
    for person in (white, black):
        await joins_again(person, game, ["e2e4", "e7e5"])
    await plays_on(white, black, game, ["Nf3", "Nc6"], 3)
    await white.does("<resign/>", game)


async def arbiter_is_killed_and_started_again(world) -> None:
    white, black = await world.comes("fa-white", "fa-black")
    game = await begins(white, black)
    await plays_on(white, black, game, ["e4", "e5"], 1)
    await white.does("<move>Nf3</move>", game, number="last")
    await world.arbiter.kill()
    # While nobody is there, the XMPP server says so.
    await until("the XMPP server noticed", lambda: known_to_be_gone(white))
    assert (await white.refused("<resign/>", game))[0] == "wait"
    await world.arbiter.start()
    await until("Arbiter is back", lambda: answers_pings(white))
    for person in (white, black):
        await joins_again(person, game, ["e2e4", "e7e5", "g1f3"])
    # What was acknowledged is there, and a retry of it by its ply is none.
    await white.does("<move ply='3'>Nf3</move>", game)
    await plays_on(white, black, game, ["Nc6", "Bb5"], 4)
    # An orderly stop says goodbye.
    white.mark()
    await world.arbiter.stop()
    assert "332" in statuses(await is_gone(white, white.name))
    await world.arbiter.start()
    await until("Arbiter is back", lambda: answers_pings(white))
    await joins_again(white, game, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"])
    await black.does("<resign/>", game)
    assert at(await white.told("result"), "result").text == "white_wins"


async def another_node_takes_over(world) -> None:
    await world.arbiter.stop()
    postgres, nats = await asyncio.gather(*(asyncio.to_thread(Helper, name) for name in ("postgres", "nats")))
    try:
        shared = {"ARBITER_STORE": postgres.ask("database"), "ARBITER_BUS": nats.said[1]}
        nodes = [Arbiter(world.binary, world.work, world.prosody, name, **shared) for name in ("one", "two")]
        white, black = await world.comes("fn-white", "fn-black")
        await nodes[0].start()
        world.more.append(nodes[0].process)
        await until("the first node has the door", lambda: answers_pings(white))
        await nodes[1].start()
        world.more.append(nodes[1].process)
        game = await begins(white, black)
        await plays_on(white, black, game, ["e4", "e5"], 1)
        await nodes[0].kill()
        watch = Stopwatch()
        await until("the second node has the door", lambda: answers_pings(white))
        took = watch.stop()
        assert took < TAKEOVER_SECONDS, f"the takeover took {took:.1f} s"
        print(f"xmpp: another node had the door after {took:.1f} s")
        for person in (white, black):
            await joins_again(person, game, ["e2e4", "e7e5"])
        await plays_on(white, black, game, ["Nf3", "Nc6"], 3)
        await white.does("<resign/>", game)
        await nodes[1].stop()
    finally:
        for process in world.more:
            if process.poll() is None:
                process.kill()
        for helper in (postgres, nats):
            await asyncio.to_thread(helper.end)


PARTS = [prosody_is_started_again, arbiter_is_killed_and_started_again, another_node_takes_over]

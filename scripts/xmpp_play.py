"""Playing by XMPP: whole games, all commands, refusals, retries, and another door. Used by scripts/xmpp.py."""

import asyncio
import time
import xml.etree.ElementTree as ET

import slixmpp
from xmpp_world import ARBITER, DOMAIN, GAME, GAMES, Native, Person, Refused, Unheard
from xmpp_world import at, canonical, native_id, number_of, room

# The stanzas of the description that this door comes from, word for word.
REQUEST = """
    <iq to='arbiter.chesspark.com' from='metajack@chesspark.com/cpc'
        type='set' id='move1'>
        <game xmlns='http://onlinegamegroup.com/xml/chesspark-01'>
            <move>e2e4</move>
        </game>
    </iq>
"""
RESULT = """
    <iq from='arbiter.chesspark.com' to='metajack@chesspark.com/cpc'
        type='result' id='move1' xmlns='jabber:client'/>
"""
MESSAGE = """
    <message from='1234@games.chesspark.com/Arbiter'
             to='1234@games.chesspark.com' type='groupchat' xmlns='jabber:client'>
        <game xmlns='http://onlinegamegroup.com/xml/chesspark-01'
              white='metajack@chesspark.com' black='trainer@chesspark.com'
              id='1234'>
            <move player='metajack@chesspark.com' side='white' ply='1' number='1'>
                e2e4
            </move>
            <time control='0' side='black'>1800.0</time>
            <time control='0' side='white'>1800.0</time>
        </game>
    </message>
"""


async def answers_pings(person: Person) -> bool | None:
    """Whether both components are there; None if that is not known.

    What is sent in the moment in which a component dies is lost: the XMPP server has passed it on, and nobody is left
    to answer. So a ping waits for a second, and whoever asks comes again.
    """
    try:
        for component in (ARBITER, GAMES):
            await person.ask(component, "<ping xmlns='urn:xmpp:ping'/>", "get", patience=1)
        return True
    except Refused:
        return False
    except Unheard:
        return None


async def known_to_be_gone(person: Person) -> bool:
    """Whether the XMPP server has noticed that Arbiter is not there."""
    return await answers_pings(person) is False


async def begins(white: Person, black: Person, terms: str = "time='1800'") -> str:
    """A game of two, and both in its room."""
    # Only who has been there can be challenged.
    assert (await black.refused("<accept/>", "1"))[1] == "item-not-found"
    since = black.mark()
    game = await white.makes(f"<challenge to='{black.bare}' side='white' {terms}/>")
    told = await black.expect("the challenge", lambda e: at(e, "challenge") is not None, since)
    assert told.get("from") == ARBITER and told.find(f"{{{GAME}}}game").get("id") == game, ET.tostring(told)
    assert at(told, "challenge").get("from") == white.bare and at(told, "challenge").get("side") == "black"
    assert await black.makes("<accept/>", game) == game
    await asyncio.gather(white.joins(game, white.name), black.joins(game, black.name))
    return game


async def two_players_play_a_whole_game(world) -> None:
    white, black, watcher = await world.comes("metajack", "trainer", "watcher")
    game = await begins(white, black)
    joined, state = await watcher.joins(game, "watcher")
    sides = {p["from"].resource: p.xml.find(f"{{{GAME}}}role") for p in joined[2]}
    assert sides["metajack"].get("side") == "white" and sides["metajack"].text == "player", sides
    assert sides["trainer"].get("jid") == f"trainer@{DOMAIN}", sides
    assert (state.get("white"), state.get("black"), state.get("id")) == (white.bare, black.bare, game)

    everybody = [white, black, watcher]
    marks = {person: person.mark() for person in everybody}
    white.send_raw(REQUEST)
    answer = await white.expect("the result", lambda e: e.get("id") == "move1")
    assert canonical(answer) == canonical(RESULT)
    for person in everybody:
        message = await person.told("move", marks[person], ply="1")
        assert canonical(message) == canonical(MESSAGE.replace("1234", game)), canonical(message)
        await person.reads("1. e4", marks[person])

    # UCI and SAN, with a ply and without, with the room's number and without.
    moves = [("e5", "e7e5"), ("Bc4", "f1c4"), ("b8c6", "b8c6"), ("Qh5", "d1h5"), ("g8f6", "g8f6"), ("Qxf7#", "h5f7")]
    for ply, (text, uci) in enumerate(moves, 2):
        mover = black if ply % 2 == 0 else white
        given = f" ply='{ply}'" if ply % 3 == 0 else ""
        answer = await mover.does(f"<move{given}> {text}\n</move>", game if ply % 2 else None)
        assert len(answer) == 0, ET.tostring(answer)
        for person in everybody:
            told = at(await person.told("move", marks[person], ply=str(ply)), "move")
            assert told.text.strip() == uci and told.get("number") == str((ply + 1) // 2), ET.tostring(told)
            assert (told.get("player"), told.get("side")) == (mover.bare, "black" if ply % 2 == 0 else "white")
    for person in everybody:
        over = at(await person.told("result", marks[person]), "result")
        assert (over.text, over.get("reason"), over.get("winner")) == ("white_wins", "checkmate", "white")
    assert await white.refused("<move>a2a3</move>", game) == ("wait", "unexpected-request", "game_not_active")
    # No game is left that could be meant.
    assert await white.refused("<resign/>") == ("cancel", "item-not-found", "game_not_found")


async def every_command_is_heard_in_the_room(world) -> None:
    white, black = await world.comes("cmd-white", "cmd-black")
    game = await begins(white, black)

    async def both(element: str, **attributes: str) -> ET.Element:
        messages = await asyncio.gather(*(p.told(element, **attributes) for p in (white, black)))
        for person in (white, black):
            person.mark()
        return at(messages[0], element)

    for person, move in [(white, "e4"), (black, "e5"), (white, "Nf3")]:
        await person.does(f"<move>{move}</move>", game)
    await both("move", ply="3")
    await white.does("<draw/>", game)
    assert (await both("draw", player=white.bare)).get("side") == "white"
    await black.does("<draw decline='1'/>", game)
    assert (await both("draw", decline="1")).get("player") == black.bare
    await black.does("<draw decline='1'/>", game)  # it is declined
    assert (await black.refused("<pause decline='1'/>", game))[1:] == ("unexpected-request", "no_offer")
    await white.does("<takeback/>", game)
    await both("takeback", player=white.bare)
    await black.does("<takeback/>", game)
    taken = await both("takeback", done="1")
    assert (taken.get("ply"), taken.get("number"), taken.get("side")) == ("2", "2", "white"), ET.tostring(taken)
    await black.does("<pause/>", game)
    await both("pause", player=black.bare)
    await white.does("<pause/>", game)
    await both("pause", done="1")
    assert await white.refused("<move>Nf3</move>", game) == ("wait", "unexpected-request", "game_not_active")
    await white.does("<resume/>", game)
    await both("resume", player=white.bare)
    await black.does("<resume/>", game)
    await both("resume", done="1")
    await black.does("<addtime/>", game)
    assert (await both("addtime", player=black.bare)).get("seconds") == "15"
    assert await black.refused("<addtime seconds='61'/>", game) == ("modify", "bad-request", "bad_request")
    assert (await white.refused("<claim draw='1'/>", game))[1:] == ("unexpected-request", "nothing_to_claim")
    assert (await white.refused("<claim/>", game))[1:] == ("unexpected-request", "not_yet")
    assert (await white.refused("<abort/>", game))[1:] == ("unexpected-request", "too_late_to_abort")
    assert (await white.refused("<rematch/>", game))[1:] == ("not-allowed", "not_allowed")
    assert (await white.refused("<draw/>", game))[1:] == ("unexpected-request", "too_soon")
    await black.does("<draw/>", game)
    await white.does("<draw/>", game)
    over = await both("result", reason="draw_agreed")
    assert over.text == "draw" and over.get("winner") is None
    again = await white.makes("<rematch/>", game)
    assert (await both("rematch", id=again)).get("room") == room(again)
    assert await black.makes("<rematch/>", game) == again
    _, state = await black.joins(again, "black")
    assert state.get("white") == black.bare and state.get("black") == white.bare
    await black.does("<abort/>", again)
    assert at(await black.told("result"), "result").text == "aborted"


async def what_cannot_be_done_is_said(world) -> None:
    white, black, other = await world.comes("no-white", "no-black", "no-other")
    game = await begins(white, black)
    bad = ("modify", "bad-request", "bad_request")
    for person, command, expected in [
        (white, "<move>e2e5</move>", ("modify", "not-acceptable", "illegal_move")),
        (black, "<move>e7e5</move>", ("wait", "unexpected-request", "wrong_turn")),
        (white, "<move>castles</move>", ("modify", "bad-request", "bad_move")),
        (white, "<move/>", ("modify", "bad-request", "bad_move")),
        (white, "<move ply='3'>e2e4</move>", ("wait", "unexpected-request", "ply_ahead")),
        (white, "<move ply='x'>e2e4</move>", bad),
        (other, "<move>e2e4</move>", ("auth", "forbidden", "not_a_player")),
        (other, "<resign/>", ("auth", "forbidden", "not_a_player")),
        (other, "<accept/>", ("wait", "unexpected-request", "game_not_waiting")),
        (white, "", bad),
        (white, "<resign/><draw/>", bad),
        (white, "<dance/>", bad),
        (white, "<resign xmlns='urn:other'/>", bad),
    ]:
        assert await person.refused(command, game) == expected, (command, expected)
    missing = ("cancel", "item-not-found", "game_not_found")
    for number in ["1", str(1 << 60), native_id(game)]:
        assert (await white.refused("<move>e2e4</move>", number))[1] == "item-not-found", number
    assert await white.refused("<resign/>", "1") == missing
    for terms in ["time='-1'", "time='x'", "time='99999999'", "variant='draughts'", "side='left'", "days='99'"]:
        what = await other.refused(f"<create {terms}/>")
        assert what[0] == "modify" and what[1] in ("bad-request", "not-acceptable"), (terms, what)
    nobody = await other.refused("<challenge to='nobody@nowhere.example' time='60'/>")
    assert nobody == ("cancel", "item-not-found", "not_found"), nobody
    assert (await other.refused("<link code='NOSUCHCODE'/>"))[1:] == ("forbidden", "bad_code")

    async def refusal(payload: str, kind: str = "set") -> tuple[str, str, str]:
        try:
            await white.ask(ARBITER, payload, kind)
        except Refused as refused:
            return refused.what
        raise AssertionError(f"{payload} was not refused")

    assert await refusal(f"<game xmlns='{GAME}'><resign/></game>", "get") == bad
    assert (await refusal("<game xmlns='urn:other'><resign/></game>"))[1] == "service-unavailable"
    assert (await refusal("<query xmlns='jabber:iq:roster'/>", "get"))[1] == "service-unavailable"
    huge = f"<game xmlns='{GAME}'><move>{'x' * 100_000}</move></game>"
    assert (await refusal(huge))[1] == "policy-violation"
    deep = f"<game xmlns='{GAME}'>{'<a>' * 100}{'</a>' * 100}</game>"
    assert (await refusal(deep))[1] == "policy-violation"
    # After all of this the game is as it was.
    await white.does("<move>&#101;2e4</move>")
    await black.told("move", ply="1")
    await black.does("<resign/>")


async def a_retry_is_the_same_command(world) -> None:
    white, black = await world.comes("re-white", "re-black")
    game = await begins(white, black)
    since = len(black.heard)
    for _ in range(3):
        answer = await white.does("<move>e4</move>", game, number="m1")
        assert answer.get("type") == "result"
    await black.does("<move>e5</move>", game)
    # The same once more, as a late retry: nothing happens.
    await white.does("<move>e4</move>", game, number="m1")
    # By its ply it is known under any id.
    await white.does("<move ply='1'>e2e4</move>", game)
    assert await white.refused("<move ply='1'>d2d4</move>", game) == ("wait", "unexpected-request", "stale_ply")
    # Another payload under the same id is another command.
    await white.does("<move>Nf3</move>", game, number="m1")
    await black.told("move", since, ply="3")
    heard = [at(e, "move").get("ply") for e in black.heard[since:] if at(e, "move") is not None]
    assert heard == ["1", "2", "3"], heard
    first = await white.makes("<create time='600'/>")
    made = [
        (await black.does("<create time='600'/>", number="c1")).find(f"{{{GAME}}}game").get("id") for _ in range(3)
    ]
    assert len(set(made)) == 1 and made[0] != first, made
    await black.does("<abort/>", made[0])
    # Of several games nobody knows which is meant; one that waits is not.
    assert await white.refused("<draw decline='1'/>") == ("wait", "unexpected-request", "no_offer")
    await black.makes("<accept/>", first)
    assert await white.refused("<resign/>") == ("modify", "bad-request", "bad_request")
    await white.does("<abort/>", first)
    await white.does("<resign/>")


async def people_meet(world) -> None:
    ann, ben, eve = await world.comes("ann", "ben", "eve")
    # An open game, which shows in the lobby and is joined by its number.
    game = await ann.makes("<create time='300' increment='3' side='black'/>")
    assert (await ann.refused("<accept/>", game))[1:] == ("not-allowed", "own_game")
    await ben.makes("<accept/>", game)
    assert (await eve.refused("<accept/>", game))[1:] == ("unexpected-request", "game_not_waiting")
    _, state = await eve.joins(game, "eve")
    assert (state.get("white"), state.get("black")) == (ben.bare, ann.bare)
    await ann.does("<abort/>")
    # A challenge is for one, who may decline.
    game = await ann.makes(f"<challenge to='{ben.bare}' time='60'/>")
    assert (await eve.refused("<accept/>", game))[1:] == ("forbidden", "not_invited")
    assert len(await ben.does("<challenge decline='1'/>", game)) == 0
    assert (await ben.refused("<accept/>", game))[1:] == ("unexpected-request", "game_not_waiting")
    # Two who seek the same find each other.
    seek = "<seek time='300' increment='3'/>"
    made = await asyncio.gather(ann.makes(seek), eve.makes(seek))
    assert made[0] == made[1], made
    await ann.does("<abort/>", made[0])
    # Whoever gives up does not wait: by itself the answer comes after 25 seconds.
    begun = time.monotonic()
    waiting = asyncio.create_task(ben.refused("<seek time='900'/>"))
    while not waiting.done():
        await ben.does("<seek cancel='1'/>")
    assert await waiting == ("wait", "remote-server-timeout", "no_opponent")
    assert time.monotonic() - begun < 15, "giving up was not answered"


async def a_browser_plays_an_xmpp_client(world) -> None:
    [jack] = await world.comes("far-jack")
    nell = await Native(world.arbiter, "Nell").register()
    clock = {"initial_seconds": 600, "increment_seconds": 0}
    made = await nell.post("/v1/games", {"time_control": clock, "color": "white"})
    game = number_of(made["id"])
    await jack.makes("<accept/>", game)
    joined, state = await jack.joins(game, "jack")
    assert (state.get("white"), state.get("black")) == (f"nell@{ARBITER}", jack.bare), ET.tostring(state)
    await nell.post(f"/v1/games/{made['id']}/moves", {"move": "e2e4", "ply": 1})
    told = at(await jack.told("move", ply="1"), "move")
    assert told.get("player") == f"nell@{ARBITER}" and told.text == "e2e4"
    await jack.does("<move>c5</move>")
    seen = await nell.get(f"/v1/games/{made['id']}")
    assert seen["san"] == ["e4", "c5"], seen
    await nell.post(f"/v1/games/{made['id']}/chat", {"text": "Hello <there> & \"you\""})
    line = await jack.reads("Hello <there> & \"you\"")
    assert line.get("from").startswith(f"{room(game)}/"), line.attrib
    jack.says(game, "Good &lt;luck&gt;!")
    await jack.reads("Good <luck>!")
    lines = (await nell.get(f"/v1/games/{made['id']}/chat"))["chat"]
    assert [line["text"] for line in lines] == ["Hello <there> & \"you\"", "Good <luck>!"], lines
    await jack.does("<draw/>")
    await nell.post(f"/v1/games/{made['id']}/accept-draw")
    assert at(await jack.told("result"), "result").get("reason") == "draw_agreed"
    # A browser's challenge by name reaches whoever is known by JID, and a code makes the JID hers.
    seat = (await nell.get(f"/v1/games/{made['id']}"))["black"]
    directed = await nell.post("/v1/games", {"time_control": clock, "opponent_id": seat})
    told = await jack.expect("the challenge", lambda e: at(e, "challenge") is not None)
    assert told.find(f"{{{GAME}}}game").get("id") == number_of(directed["id"])
    await jack.does("<challenge decline='1'/>", number_of(directed["id"]))
    code = (await nell.post("/v1/me/xmpp"))["code"]
    [hers] = await world.comes("nell-at-home")
    await hers.does(f"<link code='{code}'/>")
    assert (await jack.refused(f"<link code='{code}'/>"))[1:] == ("forbidden", "bad_code")
    assert (await nell.get("/v1/me/xmpp"))["jids"] == [f"nell-at-home@{DOMAIN}"]
    game = await hers.makes(f"<challenge to='{jack.bare}' time='300'/>")
    await jack.makes("<accept/>", game)
    assert (await nell.get(f"/v1/games/{native_id(game)}"))["white"] == "nell"
    await hers.does("<resign/>")


PARTS = [
    two_players_play_a_whole_game,
    every_command_is_heard_in_the_room,
    what_cannot_be_done_is_said,
    a_retry_is_the_same_command,
    people_meet,
    a_browser_plays_an_xmpp_client,
]

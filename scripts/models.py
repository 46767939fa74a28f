"""Plays whole games with nothing but the tools that the server gives to language models.

models.py URL SERVER-BINARY: the server, and the binary that is `arbiter mcp`. Called by scripts/models.
"""

import base64
import sys

import anyio
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters

# White mates in seven half-moves.
SCHOLARS_MATE = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
# Clients of today ask what there is; those of before shake hands first.
MODES = ["auto", "legacy"]
TOOLS = {
    "sign_in_as_guest", "whoami", "find_games", "my_games", "play_computer", "create_game", "join_game", "call_off",
    "look_at_board", "legal_moves", "make_move", "wait_for_opponent", "draw", "resign", "say", "read_chat",
}


class Player:
    """Somebody who knows nothing but the tools."""

    def __init__(self, client: Client) -> None:
        self.client, self.token = client, None

    async def call(self, tool: str, **arguments):
        """What a tool answers; a refusal is a mistake of this test."""
        result = await self.ask(tool, **arguments)
        assert not result.is_error, (tool, arguments, result.content)
        assert result.content[0].text, (tool, result)
        return result.structured_content

    async def refused(self, tool: str, **arguments) -> str:
        """The code of a refusal, which also says what to do."""
        result = await self.ask(tool, **arguments)
        assert result.is_error, (tool, arguments, result.content)
        code = result.structured_content["error"]
        assert result.content[0].text.startswith(f"{code}: "), result.content
        return code

    async def ask(self, tool: str, **arguments):
        """What a tool answers; whoever is too quick for the server waits as long as it says."""
        given = {"token": self.token} if self.token else {}
        while True:
            result = await self.client.call_tool(tool, arguments | given)
            if not result.is_error or result.structured_content["error"] != "rate_limited":
                return result
            await anyio.sleep(result.structured_content["retry_after_seconds"])

    async def sign_in(self, name: str) -> None:
        assert await self.refused("whoami") == "unauthorized"
        self.token = (await self.call("sign_in_as_guest", display_name=name))["token"]
        assert name in (await self.call("whoami"))["name"]

    async def play(self, game: str, choose) -> dict:
        """Waits and moves until the game is over."""
        while True:
            seen = await self.call("wait_for_opponent", game_id=game)
            if seen["state"] == "COMPLETED":
                return seen
            if seen["your_turn"]:
                await self.call("make_move", game_id=game, move=await choose(seen), ply=seen["ply"] + 1)


async def against_each_other(one: Player, other: Player) -> str:
    """Two clients meet and play, talking and making mistakes meanwhile."""
    await one.sign_in("Anna")
    await other.sign_in("Boris")
    made = await one.call("create_game", color="white", minutes=10, increment_seconds=0)
    game = made["game_id"]
    found = await other.call("find_games")
    assert game in [open_game["game_id"] for open_game in found["open"]], found
    await other.call("join_game", join_code=made["join_code"])

    assert await other.refused("make_move", game_id=game, move="e5") == "wrong_turn"
    assert await one.refused("make_move", game_id=game, move="e5") == "illegal_move"
    assert await one.refused("make_move", game_id=game) == "bad_request"
    assert await one.refused("look_at_board", game_id="AAAAAAAA") == "game_not_found"
    legal = await one.call("legal_moves", game_id=game)
    assert len(legal["moves"]) == 20, legal
    await one.call("say", game_id=game, text="Good luck!")
    chat = await other.call("read_chat", game_id=game)
    assert [line["text"] for line in chat["chat"]] == ["Good luck!"], chat

    async def scripted(seen: dict) -> str:
        return SCHOLARS_MATE[seen["ply"]]

    endings = []

    async def play(player: Player) -> None:
        endings.append(await player.play(game, scripted))

    async with anyio.create_task_group() as both:
        both.start_soon(play, one)
        both.start_soon(play, other)
    for ending in endings:
        assert (ending["result"], ending["reason"]) == ("white_wins", "checkmate"), ending
    await read(one.client, game, "Qxf7#")
    finished = await one.call("my_games", finished=True)
    assert game in [own["game_id"] for own in finished["games"]], finished
    assert await one.refused("resign", game_id=game) == "game_not_active"
    return game


async def against_computer(one: Player) -> str:
    """A client that looks one move ahead plays the computer until the game is over."""
    await one.sign_in("Carla")
    game = (await one.call("play_computer", difficulty="easy", color="white", minutes=5, increment_seconds=3))["game_id"]

    async def choose(seen: dict) -> str:
        moves = [move["san"] for move in (await one.call("legal_moves", game_id=game))["moves"]]
        best = [move for move in moves if "#" in move] or [move for move in moves if "x" in move] or moves
        return best[seen["ply"] % len(best)]

    ending = await one.play(game, choose)
    assert ending["result"] in ("white_wins", "black_wins", "draw"), ending
    await read(one.client, game, "1. ")
    return game


async def read(client: Client, game: str, expected: str) -> None:
    """The game as PGN, and its pictures."""
    templates = await client.list_resource_templates()
    kinds = {template.uri_template: template.mime_type for template in templates.resource_templates}
    for template, kind in kinds.items():
        answer = await client.read_resource(template.replace("{game_id}", game))
        [contents] = answer.contents
        assert contents.mime_type == kind, contents
        if kind == "application/x-chess-pgn":
            assert expected in contents.text, contents.text
        elif kind == "image/png":
            assert base64.b64decode(contents.blob).startswith(b"\x89PNG"), contents
    assert len(kinds) == 3, kinds


async def check_tools(client: Client) -> None:
    listed = await client.list_tools()
    assert {tool.name for tool in listed.tools} == TOOLS, listed
    assert "make_move" in (client.instructions or ""), client.instructions
    try:
        await client.call_tool("castle", {})
    except MCPError as error:
        assert "castle" in str(error), error
    else:
        raise SystemExit("a tool that does not exist was called")


async def main(url: str, binary: str) -> None:
    relay = StdioServerParameters(command=binary, args=["mcp", "--url", url])
    for transport, server in (("HTTP", f"{url}/mcp"), ("standard input and output", relay)):
        for mode in MODES:
            async with Client(server, mode=mode) as one, Client(server, mode=mode) as other:
                await check_tools(one)
                played = await against_each_other(Player(one), Player(other))
                faced = await against_computer(Player(one))
                version = one.protocol_version
            print(f"models: {played} and {faced} played over {transport}, revision {version}")


anyio.run(main, *sys.argv[1:])

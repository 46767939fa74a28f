"""Validates the API's description, generates a client from it, and plays a game with nothing but that client.

contract.py URL DIRECTORY: the server, and where the client may be written. Called by scripts/contract.
"""

import importlib
import json
import subprocess
import sys
import urllib.request
from pathlib import Path

from openapi_spec_validator import validate

# White is mated in four half-moves.
FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


def main(url: str, directory: Path) -> None:
    with urllib.request.urlopen(f"{url}/v1/openapi.json") as answer:
        document = json.load(answer)
    validate(document)
    generate(document, directory)
    sys.path.insert(0, str(directory))
    game = play(url)
    calls = sum(len(item) for item in document["paths"].values())
    print(f"contract: {calls} calls described, and {game} played by a generated client")


def generate(document: dict, directory: Path) -> None:
    """Writes the package `arbiter_client`. A warning about a call that the game needs shows when it is played."""
    description, settings = directory / "openapi.json", directory / "settings.yml"
    description.write_text(json.dumps(document))
    settings.write_text("post_hooks: []\n")  # nobody reads this code: it need not be laid out
    command = [str(Path(sys.executable).parent / "openapi-python-client"), "generate", "--meta", "none"]
    command += ["--path", str(description), "--config", str(settings)]
    command += ["--output-path", str(directory / "arbiter_client")]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0:
        raise SystemExit(f"no client could be generated:\n{made.stdout}{made.stderr}")


def play(url: str) -> str:
    """Two players register, meet and play; what every step answers is what the description says it is."""
    client = importlib.import_module("arbiter_client")
    models = importlib.import_module("arbiter_client.models")

    def call(name: str):
        return importlib.import_module(f"arbiter_client.api.{name}").sync

    def registered(name: str):
        body = models.NewAccount(username=name, password="correct horse battery")
        answer = call("accounts.register")(client=client.Client(base_url=url), body=body)
        assert isinstance(answer, models.SignedIn), answer
        return client.AuthenticatedClient(base_url=url, token=answer.token)

    white, black = registered("Anna"), registered("Boris")
    control = models.ClockJson(initial_seconds=300, increment_seconds=2)
    wish = models.NewGame(time_control=control, color=models.Side.WHITE)
    made = call("games.create_game")(client=white, body=wish, idempotency_key="once")
    again = call("games.create_game")(client=white, body=wish, idempotency_key="once")
    assert isinstance(made, models.GameView) and made.id == again.id, (made, again)
    assert made.time_control == control, made.time_control

    joined = call("play.join_v1_games_id_join")(made.id, client=black)
    assert isinstance(joined, models.GameView) and joined.state == "ACTIVE", joined
    for ply, text in enumerate(FOOLS_MATE, start=1):
        player = white if ply % 2 == 1 else black
        move = models.MoveRequest(move=text, ply=ply)
        played = call("play.make_move")(made.id, client=player, body=move)
        assert isinstance(played, models.MoveAnswer) and played.ply == ply, played
    refused = call("play.make_move")(made.id, client=white, body=models.MoveRequest(move="e2e4", ply=5))
    assert isinstance(refused, models.Error) and refused.error == "game_not_active", refused

    finished = call("games.get_game")(made.id, client=white, arbiter_version=played.version)
    assert isinstance(finished, models.GameView), finished
    assert (finished.result, finished.reason) == ("black_wins", "checkmate"), finished
    page = call("games.list_games")(client=white, state="COMPLETED", player="anna", limit=1)
    assert [game.id for game in page.games] == [made.id], page
    return finished.id


main(sys.argv[1], Path(sys.argv[2]))

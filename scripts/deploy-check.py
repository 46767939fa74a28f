"""Checks what deploy/ says against the server and against itself. Called by scripts/deploy-check.

deploy-check.py files SETTINGS-PAGE: what can be seen by reading.
deploy-check.py live PLAYERS-URL SERVER-URL PROMETHEUS-URL: plays a game and asks Prometheus all that the dashboard asks.
"""

import json
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import yaml

DEPLOY = Path("deploy")
# What files in deploy/ may name although the server does not have it yet; what it has must not be listed.
NOT_YET = set((DEPLOY / "not-yet.txt").read_text().split())
# What Grafana puts in for its variables.
VARIABLES = {"$__rate_interval": "1m", "$instance": ".*"}
METRIC = re.compile(r"\barbiter_[a-z_]+")
PATIENCE = 60
# What tells of a machine that stood still for a second, which those that run tests do.
OF_THE_MACHINE = {"ArbiterOutage"}
MOVES = ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"]

problems: list[str] = []


def expect(holds: object, problem: str) -> None:
    if not holds:
        problems.append(problem)


def documents(name: str) -> list:
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


def dashboard_queries() -> list[tuple[str, str]]:
    """The title of the panel and the query, as Grafana would send it."""
    queries = []
    for panel in json.loads((DEPLOY / "grafana-dashboard.json").read_text())["panels"]:
        for target in panel.get("targets", []):
            query = target["expr"]
            for variable, value in VARIABLES.items():
                query = query.replace(variable, value)
            expect("$" not in query, f"dashboard, {panel['title']}: an unknown variable in {query}")
            queries.append((panel["title"], query))
    return queries


def alerts() -> list[dict]:
    return [rule for group in documents("prometheus-alerts.yml")[0]["groups"] for rule in group["rules"]]


def check_files(settings_page: str) -> None:
    known = {f"ARBITER_{name.upper()}" for name in re.findall(r"^\| `(\w+)`", Path(settings_page).read_text(), re.M)}
    compose = documents("compose.yml")[0]
    haproxy = (DEPLOY / "haproxy.cfg").read_text()
    (targets,) = (job["static_configs"] for job in documents("prometheus.yml")[0]["scrape_configs"] if job["job_name"] == "arbiter")
    check_compose(compose, known)
    check_kubernetes(documents("kubernetes.yml"), known)
    for unit in DEPLOY.glob("*.service"):
        check_settings(re.findall(r"(ARBITER_\w+)=", unit.read_text()), known, unit.name)
    nodes = {name for name, service in compose["services"].items() if service["image"].startswith("arbiter")}
    expect(len(nodes) == 3, f"compose.yml: three nodes, not {nodes}")
    expect(set(re.findall(r"server \S+ (\S+):7878", haproxy)) == nodes, "haproxy.cfg does not have the nodes of compose.yml")
    expect({t.split(":")[0] for t in targets[0]["targets"]} == nodes, "prometheus.yml does not have the nodes of compose.yml")
    check_alerts()
    ids = [panel["id"] for panel in json.loads((DEPLOY / "grafana-dashboard.json").read_text())["panels"]]
    expect(len(ids) == len(set(ids)), "dashboard: two panels with one id")
    stale = {name for name in NOT_YET if name in known}
    expect(not stale, f"not-yet.txt: the server has these settings now: {stale}")


def check_settings(names: list[str], known: set[str], where: str) -> None:
    for name in names:
        expect(name in known | NOT_YET, f"{where}: {name} is no setting of the server")


def check_compose(compose: dict, known: set[str]) -> None:
    services = compose["services"]
    for name, service in services.items():
        where = f"compose.yml, {name}"
        environment = service.get("environment", {})
        if service["image"].startswith("arbiter"):
            check_settings(list(environment), known, where)
        for other in service.get("depends_on", {}):
            expect(other in services, f"{where}: depends on {other}, which is not there")
        for network in service["networks"]:
            expect(network in compose["networks"], f"{where}: no network {network}")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            there = (DEPLOY / source).is_file() if source.startswith(".") else source in compose["volumes"]
            expect(there, f"{where}: there is no {source}")
        expect(":" in service["image"], f"{where}: an image without a version")
    named = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yml").read_text()))
    given = set(re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text(), re.M))
    expect(named == given, f"compose.yml asks for {named}, example.env has {given}")


def check_kubernetes(parts: list[dict], known: set[str]) -> None:
    by_kind = {part["kind"]: part for part in parts}
    expect(len(by_kind) == len(parts), "kubernetes.yml: one of each kind")
    spec = by_kind["Deployment"]["spec"]
    labels, (container,) = spec["template"]["metadata"]["labels"], spec["template"]["spec"]["containers"]
    for selector in (spec["selector"]["matchLabels"], by_kind["Service"]["spec"]["selector"],
                     by_kind["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]):
        expect(selector.items() <= labels.items(), f"kubernetes.yml: {selector} selects nothing")
    check_settings([variable["name"] for variable in container["env"]], known, "kubernetes.yml")
    expect(container["readinessProbe"]["httpGet"]["path"] == "/ready", "kubernetes.yml: readiness is /ready")
    expect(container["livenessProbe"]["httpGet"]["path"] == "/health", "kubernetes.yml: liveness is /health")


def check_alerts() -> None:
    guide = Path("docs/operations.md").read_text()
    fires = set(re.findall(r'alertname="(\w+)"', (DEPLOY / "prometheus-alerts-test.yml").read_text()))
    for rule in alerts():
        name = rule["alert"]
        expect(f"`{name}`" in guide, f"docs/operations.md does not say what to do about {name}")
        expect(name in fires, f"{name} fires in no test of prometheus-alerts-test.yml")
        expect({"summary", "description"} <= rule["annotations"].keys(), f"{name}: what it means, and what to do")
        expect(rule["labels"]["severity"] in ("warning", "critical"), f"{name}: how bad it is")
    names = {rule["alert"] for rule in alerts()}
    told = set(re.findall(r"^\| `(Arbiter\w+)`", guide, re.M))
    expect(told <= names, f"docs/operations.md tells of alerts that are not there: {told - names}")


def fetch(url: str, body: object = None, token: str | None = None) -> object:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=PATIENCE) as answer:
        return json.load(answer)


def ask(prometheus: str, query: str) -> list:
    answer = fetch(f"{prometheus}/api/v1/query?" + urllib.parse.urlencode({"query": query}))
    return answer["data"]["result"]


def wait_until(what: str, holds) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if holds():
                return
        except OSError:
            pass  # whoever is asked has not started yet
        time.sleep(0.1)
    raise SystemExit(f"deploy: {what} within {PATIENCE} s")


def scrapes(prometheus: str) -> float:
    """How often Prometheus has seen the server and the load balancer: whichever it has seen less."""
    found = {job: ask(prometheus, f'sum_over_time(up{{job="{job}"}}[5m])') for job in ("arbiter", "haproxy")}
    return min(float(series[0]["value"][1]) if series else 0 for series in found.values())


def play(url: str, prometheus: str) -> None:
    """Two players and somebody who watches, all by way of the load balancer. Moves are made and refused before the first
    look of Prometheus and after it, so that there are rates to see."""
    wait_until("the load balancer let nobody in", lambda: fetch(f"{url}/health"))
    tokens = [fetch(f"{url}/v1/accounts", {"username": name, "password": "correct horse battery"})["token"] for name in ("Alice", "Bob")]
    terms = {"time_control": {"initial_seconds": 300, "increment_seconds": 2}, "opponent_id": "bob"}
    game = fetch(f"{url}/v1/games", terms, tokens[0])["id"]
    fetch(f"{url}/v1/games/{game}/join", {}, tokens[1])
    heard: list[bytes] = []
    watch = urllib.request.urlopen(f"{url}/v1/games/{game}/events", timeout=PATIENCE)
    threading.Thread(target=lambda: heard.extend(watch), daemon=True).start()

    def move(ply: int, what: str) -> None:
        fetch(f"{url}/v1/games/{game}/moves", {"move": what, "ply": ply}, tokens[(ply + 1) % 2])

    def refused() -> None:
        try:
            move(7, "Ke5")
        except urllib.error.HTTPError:
            return
        raise SystemExit("deploy: a king went over the whole board")

    refused()
    for ply, what in enumerate(MOVES[:4], 1):
        move(ply, what)
    wait_until("Prometheus did not start", lambda: scrapes(prometheus) > 0)
    seen = scrapes(prometheus)
    move(5, MOVES[4])
    move(6, MOVES[5])
    refused()
    move(7, MOVES[6])
    wait_until("the watcher did not hear of the mate", lambda: any(b"checkmate" in line for line in heard))
    wait_until("Prometheus did not look again", lambda: scrapes(prometheus) >= seen + 2)


def check_live(players: str, server: str, prometheus: str) -> None:
    play(players, prometheus)
    with urllib.request.urlopen(f"{server}/metrics") as answer:
        text = answer.read().decode()
    measured = set(re.findall(r"^(arbiter_\w+)", text, re.M))
    stale = NOT_YET & measured
    expect(not stale, f"not-yet.txt: the server measures these now: {stale}")
    queries = dashboard_queries()
    for title, query in queries:
        missing = set(METRIC.findall(query)) - measured
        expect(missing <= NOT_YET, f"dashboard, {title}: the server does not measure {missing}")
        values = [series["value"][1] for series in ask(prometheus, query)]
        has_data = values and "NaN" not in values
        expect(has_data or missing, f"dashboard, {title}: no data ({values}) for {query}")
    for rule in alerts():
        missing = set(METRIC.findall(rule["expr"])) - measured
        expect(missing <= NOT_YET, f"{rule['alert']}: the server does not measure {missing}")
    check_rules(prometheus)
    up = {series["metric"]["job"]: series["value"][1] for series in ask(prometheus, "up")}
    expect(up == {"arbiter": "1", "haproxy": "1"}, f"Prometheus reaches {up}")
    if not problems:
        print(f"deploy: a game played, {len(queries)} queries of the dashboard answered, {len(alerts())} alerts evaluated")


def check_rules(prometheus: str) -> None:
    """Every rule was evaluated without an error, and of a server that is well no alert fires."""

    def rules() -> list[dict]:
        groups = fetch(f"{prometheus}/api/v1/rules")["data"]["groups"]
        return [rule for group in groups for rule in group["rules"]]

    wait_until("Prometheus did not evaluate every rule", lambda: all(rule["health"] != "unknown" for rule in rules()))
    for rule in rules():
        expect(rule["health"] == "ok", f"{rule['name']}: {rule.get('lastError', rule['health'])}")
        firing = [alert for alert in rule["alerts"] if alert["state"] == "firing"]
        expect(not firing or rule["name"] in OF_THE_MACHINE, f"{rule['name']} fires although all is well: {firing}")


if __name__ == "__main__":
    {"files": check_files, "live": check_live}[sys.argv[1]](*sys.argv[2:])
    for problem in problems:
        print(f"deploy: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)

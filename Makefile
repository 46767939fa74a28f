# Every task of the project by name. The two that matter: `make run` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help run dist test test-fast perft sim sim-mutants bench bench-core bench-pairing bench-counts bench-flags bench-correspondence attack fuzz clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build and start the server (ARGS="..." is passed on)
	@scripts/run $(ARGS)

dist: ## make what operators install, in dist/: a static binary in an archive, a Debian package, checksums
	@scripts/dist

test: ## check everything, installing what is missing where that is allowed
	@scripts/test

test-fast: ## formatting, lints and tests only; installs nothing
	@scripts/test fast

perft: ## count the nodes of the deep perft positions (minutes)
	cargo test --release -p chess --test perft -- --ignored --nocapture

SEEDS ?= 100000
STEPS ?= 1500
sim: ## simulate one node, several, and a pool over several, with faults, SEEDS=100000 times each (an hour)
	cargo run -q --release -p sim -- --seeds $(SEEDS) --steps $(STEPS)
	cargo run -q --release -p sim -- --cluster --seeds $(SEEDS) --steps $(STEPS)
	cargo run -q --release -p sim -- --pool --seeds $(SEEDS)

sim-mutants: ## put known mistakes into the live core; the simulator must find each within 1,000 seeds
	@scripts/sim-mutants

bench: ## measure everything against its targets, for about an hour (ONE=moves, ... ARGS="--store postgres --nodes 3 --seconds 5")
	@scripts/bench $(or $(ONE),all) $(ARGS)

attack: ## let one attacker do its worst and measure everybody else, for about ten minutes (ARGS="--only log --seconds 5")
	@scripts/bench attack $(ARGS)

bench-counts: ## count instructions, of the core and of whole moves; fails on a rise of 5 % (SAVE=1 keeps the figures)
	@scripts/counts

bench-core: ## measure one full move against bare shakmaty, and bytes per game
	cargo bench -p chess --bench core

bench-pairing: ## pair ten thousand who wait
	cargo bench -p chess --bench pairing

bench-flags: ## let 5,000 flags fall among GAMES=500000 running games
	cargo bench -p server --bench flags

bench-correspondence: ## 100,000 games by days that nobody looks at, and 10,000 overdue ones
	cargo bench -p server --bench correspondence

# The sanitizers look for what unsafe code does, of which there is none: without them it is twice as fast.
# cargo-fuzz wants a nightly compiler; RUSTC_BOOTSTRAP lets the installed one take the same flags.
TARGET ?= game
RUNS ?= 1000000
fuzz: ## fuzz one of TARGET=fen, moves, pgn, game, decode, skill or xmpp, RUNS=1000000 times
	@scripts/need g++ g++
	@command -v cargo-fuzz >/dev/null || cargo install --locked cargo-fuzz
	@mkdir -p fuzz/corpus/$(TARGET)
	RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none $(TARGET) fuzz/corpus/$(TARGET) $(wildcard fuzz/seeds/$(TARGET)) \
	  -- -runs=$(RUNS) -max_len=1000 -len_control=0 -timeout=10 -print_final_stats=1

clean: ## remove everything that was built
	cargo clean

# Every task of the project by name. The two that matter: `make run` and `make test`.
.DEFAULT_GOAL := help
.PHONY: help run test test-fast perft bench-core clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## build and start the server (ARGS="..." is passed on)
	@scripts/run $(ARGS)

test: ## check everything, installing what is missing where that is allowed
	@scripts/test

test-fast: ## formatting, lints and tests only; installs nothing
	@scripts/test fast

perft: ## count the nodes of the deep perft positions (minutes)
	cargo test --release -p chess --test perft -- --ignored --nocapture

bench-core: ## measure one full move against bare shakmaty, and bytes per game
	cargo bench -p chess --bench core

clean: ## remove everything that was built
	cargo clean

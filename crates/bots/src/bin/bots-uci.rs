//! The built-in engine as a UCI program.

fn main() -> std::io::Result<()> {
    bots::uci::serve::run(std::io::stdin().lock(), std::io::stdout())
}

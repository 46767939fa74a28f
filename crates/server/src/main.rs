//! The binary `arbiter`.

fn main() -> std::process::ExitCode {
    server::cli::main()
}

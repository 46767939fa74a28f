//! The binary `bench`.

fn main() -> std::process::ExitCode {
    bench::main()
}

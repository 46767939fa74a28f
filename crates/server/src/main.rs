//! The binary `arbiter`.

/// A move allocates here and frees there, on one of several threads; the
/// system's allocator takes twice as long over it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    server::cli::main()
}

//! Who may do what, and what nobody can do to the server, over real sockets.

#[allow(
    dead_code,
    reason = "the other tests' server and client; not all of it is needed here"
)]
#[path = "../api/client.rs"]
mod client;
#[path = "../api/contract.rs"]
mod contract;
mod delay;
mod fuzz;
mod logs;
mod matrix;
mod mutate;
mod raw;
mod routes;
mod shell;
mod slow;
mod stage;
mod table;
mod wire;

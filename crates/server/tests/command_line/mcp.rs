//! `arbiter mcp`: messages over standard input and output.

use serde_json::{Value, json};

use super::Machine;

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

#[test]
fn messages_are_passed_on_to_the_server_that_runs() {
    let machine = Machine::new();
    let server = machine.serve();
    let hello = json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
    let begun = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let tools = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let long = json!({ "jsonrpc": "2.0", "id": 3, "method": "x".repeat(20_000) });
    let input = format!("{hello}\n{begun}\n\nrubbish\n{tools}\n{long}\n");
    let (code, text) = machine.run_with(&["mcp", "--url", &server.url], &input);
    assert_eq!(code, 0, "{text}");
    let answers = lines(&text);
    assert_eq!(answers.len(), 4, "{text}");
    let of = |id: Value| {
        answers
            .iter()
            .find(|answer| answer["id"] == id)
            .expect("an answer")
    };
    assert_eq!(of(json!("a"))["result"]["serverInfo"]["name"], "arbiter");
    assert!(of(json!(2))["result"]["tools"].is_array());
    assert_eq!(of(Value::Null)["error"]["code"], -32700);
    let message = of(json!(3))["error"]["message"]
        .as_str()
        .expect("a sentence");
    assert!(message.starts_with("too_large: "), "{message}");
    assert_eq!(server.stop(), 0);
}

/// The token of the environment is who asks, and no setting.
#[test]
fn the_token_comes_from_the_environment() {
    let machine = Machine::new();
    let server = machine.serve();
    let whoami = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "whoami", "arguments": {} } });
    let made = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "sign_in_as_guest", "arguments": {} } });
    let (_, text) = machine.run_with(&["mcp", "--url", &server.url], &format!("{made}\n"));
    let made = lines(&text)[0]["result"]["structuredContent"].clone();
    let ask = |token: &str| {
        let mut command = machine.command(&["mcp", "--url", &server.url]);
        let mut child = command.env("ARBITER_TOKEN", token).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut { input }, format!("{whoami}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        lines(&String::from_utf8_lossy(&output.stdout))[0]["result"].clone()
    };
    let own = ask(made["token"].as_str().expect("a token"));
    assert_eq!(own["structuredContent"]["name"], made["name"]);
    assert_eq!(
        ask("nonsense")["structuredContent"]["error"],
        "unauthorized"
    );
    assert_eq!(server.stop(), 0);
}

#[test]
fn it_says_so_if_no_server_is_there() {
    let machine = Machine::new();
    let (code, text) = machine.run(&["mcp", "--url", "http://127.0.0.1:1"]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("no server answers at http://127.0.0.1:1"),
        "{text}"
    );
    assert!(text.contains("arbiter serve"), "{text}");
    let (code, text) = machine.run(&["mcp", "--url", "chess.example"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("http://"), "{text}");
    // Nothing was opened, and so nothing was made.
    assert!(!machine.path("arbiter.db").exists());
}

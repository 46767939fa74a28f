//! What models are told of the tools.

use super::*;

#[test]
fn every_tool_says_what_it_takes_and_takes_a_token() {
    let all = described();
    assert_eq!(all.len(), 16);
    for tool in &all {
        let schema = &tool.input_schema;
        assert_eq!(schema["type"], "object", "{}", tool.name);
        assert_eq!(schema["additionalProperties"], false, "{}", tool.name);
        assert!(schema["properties"]["token"].is_object(), "{}", tool.name);
        let about = tool.description.as_deref().unwrap_or_default();
        assert!(
            (40..=700).contains(&about.len()),
            "{}: {}",
            tool.name,
            about.len()
        );
        for (name, property) in schema["properties"].as_object().expect("properties") {
            let is_said = property["description"].is_string() || property["$ref"].is_string();
            assert!(is_said, "{} does not say what {name} is", tool.name);
        }
    }
}

#[test]
fn every_tool_that_a_description_names_is_there() {
    let all = described();
    let names: Vec<&str> = all.iter().map(|tool| &*tool.name).collect();
    let is_like_a_name = |word: &&str| word.contains('_') && word.is_ascii();
    for tool in &all {
        let about = tool.description.as_deref().unwrap_or_default();
        let words = about.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for word in words.filter(is_like_a_name) {
            let properties = |tool: &Description| tool.input_schema["properties"].clone();
            let is_argument = all.iter().any(|tool| properties(tool)[word].is_object());
            let is_code = about.contains(&format!("`{word}`"));
            assert!(
                is_argument || is_code || names.contains(&word),
                "{}: {word}",
                tool.name
            );
        }
    }
}

#[test]
fn arguments_that_are_wrong_are_named() {
    #[derive(Debug, serde::Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct Some {
        number: u32,
    }
    let object = |value: Value| value.as_object().cloned().expect("an object");
    let (token, some) = read::<Some>(object(json!({ "number": 7, "token": "t" }))).expect("fine");
    assert_eq!((token.as_deref(), some.number), (Option::Some("t"), 7));
    let (token, _) = read::<Some>(object(json!({ "number": 7, "token": null }))).expect("fine");
    assert_eq!(token, None);
    for (arguments, named) in [
        (json!({ "number": "seven" }), "number"),
        (json!({ "number": 7, "numbr": 8 }), "numbr"),
        (json!({ "number": 7, "token": 1 }), "token"),
        (json!({}), "number"),
    ] {
        let problem = read::<Some>(object(arguments)).expect_err("wrong");
        assert_eq!(problem.code, "bad_request");
        assert!(problem.detail.contains(named), "{}", problem.detail);
    }
}

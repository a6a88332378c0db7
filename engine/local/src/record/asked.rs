//! What an agent asked a model, in any wire form: what of a request is written down.

use serde_json::{Value, json};

use probity_bench::{Form, bare_tools};

/// A request for a model's next message.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    pub form: Form,
    pub model: Option<String>,
    /// The system's and developer's messages that the list begins with.
    pub lead: Vec<Value>,
    /// All that was said since.
    pub turns: Vec<Value>,
    /// The system's words beside the list.
    pub system: Option<Value>,
    pub tools: Option<Value>,
    /// What its history goes on from, where it does not tell all of it: an answer, or a conversation.
    pub after: Option<String>,
    pub conversation: Option<String>,
}

impl Asked {
    /// A request in a form, and its model where that stands in the path; nothing where its body is no such request.
    pub fn of(form: Form, model: Option<String>, mut body: Value) -> Option<Asked> {
        let mut first = |places: &[&str]| {
            places.iter().find_map(|at| body.pointer_mut(at).filter(|value| !value.is_null()).map(Value::take))
        };
        let [turns, system, tools] = form.places.map(&mut first);
        let mut turns = match turns? {
            Value::Array(turns) => turns,
            Value::String(text) => vec![json!({"role": "user", "content": text})],
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
        };
        if !turns.iter().all(Value::is_object) {
            return None;
        }
        let is_brief = |turn: &Value| matches!(turn.get("role").and_then(Value::as_str), Some("system" | "developer"));
        let lead = turns.iter().take_while(|turn| is_brief(turn)).count();
        let lead = turns.drain(..lead).collect();
        let mut text = |keys: &[&str]| first(keys).and_then(|value| value.as_str().map(str::to_owned));
        let conversation = text(&["/conversation/id", "/conversation"]);
        Some(Asked {
            form,
            model: model.or_else(|| text(&["/model"])),
            lead,
            turns,
            system,
            tools: tools.as_ref().map(bare_tools),
            after: text(&["/previous_response_id"]).or_else(|| conversation.clone()),
            conversation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_every_form_are_taken_apart() {
        let chat = json!({"model": "m", "temperature": 0, "messages": [
            {"role": "system", "content": "Serve."}, {"role": "user", "content": "Hello"}],
            "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]});
        let paths = ["/chat/completions", "/messages", "/responses", "/models/m:generateContent", "/model/m/converse"];
        for (form, path) in Form::all().zip(paths) {
            let (found, model) = Form::at(path).unwrap();
            assert_eq!(found, form);
            let mut body = Client::body(form, &chat);
            body["user"] = json!("somebody");
            let asked = Asked::of(form, model, body).unwrap();
            let all = format!("{asked:?}");
            assert!(["Serve.", "Hello", "look"].iter().all(|word| all.contains(word)), "{all}");
            assert!(
                !all.contains("somebody") && asked.turns.len() == 1 && asked.model.as_deref() == Some("m"),
                "{all}"
            );
        }
        assert!(Form::at("/v1beta/models/m:streamGenerateContent?alt=sse").is_some());
        let body = json!({"input": "Hi", "previous_response_id": "r1"});
        let brief = Asked::of("responses".parse().unwrap(), None, body).unwrap();
        assert_eq!((brief.after.as_deref(), brief.turns.len()), (Some("r1"), 1));
        for body in [json!({}), json!([]), json!({"messages": 1}), json!({"input": ["a text to embed"]}), json!("x")] {
            for form in Form::all() {
                assert_eq!(Asked::of(form, None, body.clone()), None, "{form} {body}");
            }
        }
    }

    /// A request as a client of ours writes it.
    struct Client;

    impl Client {
        fn body(form: Form, chat: &Value) -> Value {
            let [messages, tools] = ["messages", "tools"].map(|key| chat[key].clone());
            match form.name {
                "anthropic" => json!({"model": "m", "system": messages[0]["content"], "messages": [messages[1]],
                    "tools": [{"name": "look", "input_schema": {}}]}),
                "responses" => json!({"model": "m", "instructions": messages[0]["content"], "input": [messages[1]],
                    "tools": [{"type": "function", "name": "look"}]}),
                "gemini" => json!({"systemInstruction": {"parts": [{"text": "Serve."}]},
                    "contents": [{"role": "user", "parts": [{"text": "Hello"}]}],
                    "tools": [{"functionDeclarations": [{"name": "look"}]}]}),
                "bedrock" => {
                    json!({"system": [{"text": "Serve."}], "messages": [{"role": "user", "content": [{"text": "Hello"}]}],
                    "toolConfig": {"tools": [{"toolSpec": {"name": "look"}}]}})
                }
                _ => json!({"model": "m", "messages": messages, "tools": tools}),
            }
        }
    }
}

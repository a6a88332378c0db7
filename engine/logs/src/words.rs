//! Words in texts and in lists of blocks, and what stands in place of what is no word.

use serde_json::Value;

use crate::json;

/// What a content says, and what of it is no word.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Words {
    pub text: String,
    pub placeholders: u32,
    pub thoughts: u32,
}

/// Types of blocks that hold words, each with its key.
const WORDS: [(&str, &[&str]); 6] = [
    ("text", &["text", "content"]),
    ("input_text", &["text"]),
    ("output_text", &["text"]),
    ("plain_text", &["text"]),
    ("refusal", &["refusal"]),
    ("audio", &["transcript"]),
];
/// Types of blocks that hold thoughts.
const THOUGHTS: [&str; 7] =
    ["thinking", "redacted_thinking", "reasoning", "reasoning_text", "reasoning_content", "summary_text", "thought"];

impl Words {
    /// What a text, a block or a list of them says.
    pub(crate) fn of(content: &Value) -> Words {
        let mut words = Words::default();
        words.add(content);
        words
    }

    pub(crate) fn add(&mut self, content: &Value) {
        match content {
            Value::String(text) => self.push(text),
            Value::Array(blocks) => blocks.iter().for_each(|block| self.add(block)),
            Value::Object(_) => self.block(content),
            Value::Number(_) | Value::Bool(_) => self.push(&content.to_string()),
            Value::Null => {}
        }
    }

    fn block(&mut self, block: &Value) {
        let kind = block.get("type").and_then(Value::as_str);
        if block.get("thought") == Some(&Value::Bool(true))
            || block.get("reasoningContent").is_some()
            || kind.is_some_and(|kind| THOUGHTS.contains(&kind))
        {
            self.thoughts += 1;
            return;
        }
        let keys = match kind {
            Some(kind) => WORDS.iter().find(|(name, _)| *name == kind).map_or(&[][..], |(_, keys)| keys),
            None => &["text", "content", "parts", "message_content"],
        };
        let inner = json::field(block, keys).or_else(|| block.get("message_content"));
        match (inner, kind) {
            // Texts of assistants' files are `{"value": "..", "annotations": []}`.
            (Some(Value::Object(text)), _) if text.contains_key("value") => {
                self.add(text.get("value").unwrap_or(&Value::Null));
            }
            (Some(inner), _) => self.add(inner),
            (None, Some("text" | "input_text" | "output_text")) => {}
            (None, kind) => {
                self.placeholders += 1;
                let kind = kind.or_else(|| block.as_object()?.keys().next().map(String::as_str)).unwrap_or("nothing");
                self.push(&format!("[{kind}]"));
            }
        }
    }

    fn push(&mut self, text: &str) {
        if !self.text.is_empty() && !text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }
}

/// Whether a list is blocks of words and the like, and no data.
pub(crate) fn is_blocks(items: &[Value]) -> bool {
    const BLOCKS: [&str; 14] = [
        "text",
        "input_text",
        "output_text",
        "image",
        "image_url",
        "input_image",
        "audio",
        "input_audio",
        "resource",
        "resource_link",
        "document",
        "search_result",
        "tool_reference",
        "file",
    ];
    let is_block = |item: &Value| item.get("type").and_then(Value::as_str).is_some_and(|kind| BLOCKS.contains(&kind));
    !items.is_empty() && items.iter().all(is_block)
}

/// An agent's words without what models write between tags while they think, and how many such places there were.
pub(crate) fn without_thoughts(text: &str) -> (String, u32) {
    const TAGS: [(&str, &str); 3] =
        [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>")];
    let (mut text, mut count) = (text.to_owned(), 0);
    for (open, close) in TAGS {
        let mut kept = String::new();
        let mut rest = text.as_str();
        // The beginning of a thought may stand in the prompt, where no log has it.
        if let Some((thought, words)) = rest.split_once(close).filter(|(thought, _)| !thought.contains(open)) {
            count += u32::from(!thought.trim().is_empty());
            rest = words;
        }
        while let Some((words, thought)) = rest.split_once(open) {
            let Some((_, after)) = thought.split_once(close) else {
                // One that never ends was cut off; a tag that is spoken of stands in the middle of words.
                if words.trim().is_empty() {
                    count += 1;
                    rest = "";
                }
                break;
            };
            count += 1;
            kept.push_str(words);
            rest = after;
        }
        kept.push_str(rest);
        text = kept;
    }
    (if count > 0 { text.trim().to_owned() } else { text }, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_are_found_in_blocks_and_thoughts_are_not() {
        let cases = [
            (json!("It is open."), "It is open.", 0, 0),
            (json!([{"type": "text", "text": "One"}, {"type": "output_text", "text": "two"}]), "One\ntwo", 0, 0),
            (json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes"}]), "Yes", 0, 1),
            (
                json!([{"type": "image_url", "image_url": {"url": "data:x"}}, {"text": "Look"}]),
                "[image_url]\nLook",
                1,
                0,
            ),
            (json!([{"type": "refusal", "refusal": "No."}]), "No.", 0, 0),
            (json!([{"type": "text", "text": {"value": "File text", "annotations": []}}]), "File text", 0, 0),
            (json!([{"text": "inner", "thought": true}, {"text": "outer"}]), "outer", 0, 1),
            (json!([{"message_content": {"type": "text", "text": "flat"}}]), "flat", 0, 0),
            (json!(null), "", 0, 0),
        ];
        for (content, text, placeholders, thoughts) in cases {
            assert_eq!(Words::of(&content), Words { text: text.to_owned(), placeholders, thoughts }, "{content}");
        }
    }

    #[test]
    fn what_is_thought_between_tags_is_left_out() {
        let cases = [
            ("<think>They pay.</think>\nYou pay nothing.", "You pay nothing.", 1),
            ("Wait. <think>a</think>Done. <think>b</think>", "Wait. Done.", 2),
            ("They pay.</think>You pay nothing.", "You pay nothing.", 1),
            ("<think>cut off", "", 1),
            ("Write <think> before it.", "Write <think> before it.", 0),
            (" No tags. ", " No tags. ", 0),
        ];
        for (text, wanted, count) in cases {
            assert_eq!(without_thoughts(text), (wanted.to_owned(), count), "{text}");
        }
    }
}

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
}

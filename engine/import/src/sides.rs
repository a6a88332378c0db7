//! The sides of an import that is made again, and the elements of them that belong together.

use std::collections::BTreeSet;

use probity_engine::format::format;
use probity_engine::ids::identifier_of;
use probity_engine::load::environment::Scripts;

use crate::again::Texts;
use crate::document::{self, Node};
use crate::fault::fault;
use crate::functions;
use crate::merge::{At, FUNCTION, Left, Merge};
use crate::source::Refused;

pub const MEND: &str = "mend it (`probity check` tells more), then import again";

/// The three sides of a merge: what was imported before, what the author has, and what is imported now.
pub struct Sides<'t> {
    id: &'t str,
    pub texts: [&'t Texts; 3],
    from: Node<'t>,
    own: Node<'t>,
    to: Node<'t>,
    libraries: &'t Scripts,
}

impl<'t> Sides<'t> {
    pub fn read(id: &'t str, texts: [&'t Texts; 3], libraries: &'t Scripts) -> Result<Sides<'t>, Refused> {
        let read =
            |which: &str, texts: &'t Texts| Node::read(&texts.environment).map_err(|why| unread(id, which, &why));
        let [old, mine, new] = texts;
        let (from, own, to) = (read("what was kept of", old)?, read("your", mine)?, read("the new", new)?);
        Ok(Sides { id, texts, from, own, to, libraries })
    }

    pub fn unread(&self, which: &str, why: &str) -> Refused {
        unread(self.id, which, why)
    }

    /// The author's files, or others in their place, with what changed but what is held.
    pub fn merged(&self, mine: &Texts, held: &BTreeSet<At>) -> Result<(Texts, Vec<Left>), Refused> {
        let [old, own, new] = self.texts;
        let mut merge = Merge::new(held);
        let text = document::merged(&self.from, &mine.environment, &self.to, &mut merge);
        let text = text.map_err(|why| self.unread("your", &why))?;
        let is_styled = format("", &own.environment).is_ok_and(|styled| styled == own.environment);
        let environment = if is_styled { format("", &text).unwrap_or(text) } else { text };
        let script = merge.within(FUNCTION, |merge| functions::merged(&old.script, &mine.script, &new.script, merge));
        Ok((Texts { environment, script }, merge.left))
    }

    /// What `check` says against texts without any task.
    pub fn fault(&self, texts: &Texts) -> Option<String> {
        fault(self.id, texts, self.libraries)
    }

    pub fn before(&self, at: &At) -> String {
        element(&self.from, &self.texts[0].script, at)
    }

    pub fn yours(&self, at: &At) -> String {
        element(&self.own, &self.texts[1].script, at)
    }

    pub fn source(&self, at: &At) -> String {
        element(&self.to, &self.texts[2].script, at)
    }

    pub fn stays(&self, at: &At, why: String) -> Left {
        Left { at: at.clone(), yours: self.yours(at), source: self.source(at), why }
    }

    /// What goes with functions that stay as the author has them, each with its function: the tool where the source has it no
    /// longer, else what of it follows from the body.
    pub fn bound(&self, left: &[Left]) -> Vec<(String, At)> {
        let Sides { own, to, .. } = self;
        let mut found = Vec::new();
        for function in left.iter().filter(|left| left.is_of_script()).filter_map(|left| left.at.get(1)) {
            let tools = own.members(&["tools"]).into_iter().flat_map(|members| &members.all);
            for tool in tools.filter(|tool| function_of(own, &tool.name) == *function) {
                let at = ["tools".to_owned(), tool.name.clone()].to_vec();
                match to.members(&["tools", &tool.name]) {
                    None => found.push((function.clone(), at)),
                    Some(_) => {
                        found.extend(FOLLOWS.map(|key| (function.clone(), [at.as_slice(), &[key.to_owned()]].concat())))
                    }
                }
            }
        }
        found
    }

    /// What comes together or not at all: a collection with its counts, a tool with its function, a function, a key.
    pub fn units(&self) -> Vec<Vec<At>> {
        let (Sides { from, to, .. }, [old, _, new]) = (self, self.texts);
        let at = |path: &[&str]| -> At { path.iter().map(|part| (*part).to_owned()).collect() };
        let names = |path: &[&str]| -> Vec<String> {
            let mut all: Vec<String> = Vec::new();
            for member in [from, to].into_iter().filter_map(|node| node.members(path)).flat_map(|members| &members.all)
            {
                if !all.contains(&member.name) {
                    all.push(member.name.clone());
                }
            }
            all
        };
        let sizes = names(&["populate", "sizes"]);
        let counts = |name: &str| sizes.iter().map(|size| at(&["populate", "sizes", size, name])).collect::<Vec<_>>();
        let collections = names(&["state"]);
        let mut units: Vec<Vec<At>> =
            collections.iter().map(|name| [vec![at(&["state", name])], counts(name)].concat()).collect();
        let tools = names(&["tools"]);
        let function = |tool: &String| {
            let has = |node: &&Node<'_>| node.members(&["tools", tool]).is_some();
            [to, from].into_iter().find(has).map_or_else(|| identifier_of(tool), |node| function_of(node, tool))
        };
        let of_tools: Vec<String> = tools.iter().map(function).collect();
        let functions: BTreeSet<String> = [&old.script, &new.script]
            .into_iter()
            .flat_map(|script| functions::parts(script))
            .filter_map(|p| p.name)
            .collect();
        // What others call comes before them, and what fills the collections behind them.
        let others = functions.into_iter().filter(|name| !of_tools.contains(name));
        let (last, first): (Vec<String>, Vec<String>) = others.partition(|name| name == "populate");
        units.extend(first.iter().map(|name| vec![at(&[FUNCTION, name])]));
        units.extend(tools.iter().zip(&of_tools).map(|(tool, own)| vec![at(&["tools", tool]), at(&[FUNCTION, own])]));
        units.extend(last.iter().map(|name| vec![at(&[FUNCTION, name])]));
        let keys = names(&[]).into_iter().filter(|key| !["state", "tools", "populate"].contains(&key.as_str()));
        units.extend(keys.map(|key| vec![vec![key]]));
        units
    }
}

fn unread(id: &str, which: &str, why: &str) -> Refused {
    Refused::new(format!("{which} `environments/{id}.json` cannot be read: {why}"), MEND)
}

/// What of a tool follows from its function.
const FOLLOWS: [&str; 5] = ["returns", "changes", "effect", "effects", "errors"];

/// The function of a tool, by what an environment says of it or else by its name.
fn function_of(node: &Node<'_>, tool: &str) -> String {
    let text = element(node, "", &["tools", tool, "function"].map(str::to_owned));
    let said = text.split_once(':').and_then(|(_, text)| serde_json::from_str::<String>(text.trim()).ok());
    said.unwrap_or_else(|| identifier_of(tool))
}

/// The text of an element; empty where there is none.
pub fn element(node: &Node<'_>, script: &str, at: &[String]) -> String {
    let found = match at {
        [first, name] if first == FUNCTION => {
            let found = functions::parts(script).into_iter().find(|part| part.name.as_ref() == Some(name));
            found.map(|part| part.text.to_owned())
        }
        [above @ .., name] => {
            let above: Vec<&str> = above.iter().map(String::as_str).collect();
            node.members(&above).and_then(|members| members.get(name)).map(document::Member::text)
        }
        [] => None,
    };
    found.unwrap_or_default().trim().to_owned()
}

//! What scripts can refer to: collections, fields, parameters, functions and the names of natives.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::{AST, ASTNode, Dynamic, Engine, Expr, Stmt};
use serde_json::Value;

use super::Trees;
use super::chain::{Link, flatten};
use super::types::{Type, closed_fields};
use crate::model::environment_file::{EnvironmentFile, SlotKind, properties};
use crate::model::within::within;
use crate::script::handles::{Db, Row, Table};
use crate::script::sources::Sources;

/// A function of a script: library (empty for the main script), name, number of parameters.
pub(super) type FunctionId = (String, String, usize);

/// Functions that Rhai knows without registration, with any number of arguments.
const KEYWORDS: [&str; 9] = ["Fn", "call", "type_of", "is_def_fn", "is_def_var", "is_shared", "print", "debug", "this"];

pub(super) struct Function {
    /// Names of its parameters; those a closure captures come first.
    pub(super) parameters: Vec<String>,
    pub(super) body: Vec<Stmt>,
    /// Whether it can be called from its own script only.
    pub(super) is_private: bool,
}

/// The functions of a syntax tree, closures among them. Rhai hands out bodies only by walking, so each
/// function is walked alone.
pub(super) fn functions(tree: &AST) -> Vec<(String, Arc<Function>)> {
    let mut functions = Vec::new();
    for defined in tree.iter_fn_def() {
        // `clone_functions_only_filtered` keeps them all.
        let mut alone = tree.clone_functions_only();
        alone.retain_functions(|_, _, name, parameters| name == defined.name && parameters == defined.params.len());
        let mut body = Vec::new();
        alone.walk(&mut |path: &[ASTNode]| {
            if let [ASTNode::Stmt(statement)] = path {
                body.push((*statement).clone());
            }
            true
        });
        let parameters = defined.params.iter().map(ToString::to_string).collect();
        let function = Function { parameters, body, is_private: defined.access.is_private() };
        functions.push((defined.name.to_string(), Arc::new(function)));
    }
    functions
}

pub(super) struct World {
    /// Kinds and schemas of the state's parts.
    pub(super) slots: BTreeMap<String, (SlotKind, Value)>,
    pub(super) parameters: BTreeMap<String, BTreeSet<String>>,
    /// Names of the counts handed to `populate`.
    pub(super) counts: BTreeSet<String>,
    /// Every name that a map can have as a key: from schemas, map literals, texts and assignments.
    pub(super) keys: BTreeSet<String>,
    /// Numbers of parameters of native functions, by name.
    pub(super) natives: BTreeMap<String, BTreeSet<usize>>,
    methods: BTreeMap<&'static str, BTreeSet<(String, usize)>>,
    pub(super) functions: BTreeMap<FunctionId, Arc<Function>>,
    /// Script files by library; the main script under the empty name.
    pub(super) files: BTreeMap<String, String>,
}

impl World {
    pub(super) fn new(engine: &Engine, trees: &Trees, file: &EnvironmentFile, sources: &Sources) -> World {
        let mut world = World {
            slots: file.state.iter().map(|(name, slot)| (name.clone(), (slot.kind, slot.item.clone()))).collect(),
            parameters: file.tools.iter().map(|tool| (tool.name.clone(), names_of(&tool.parameters))).collect(),
            counts: file.populate.sizes.values().flat_map(|counts| counts.keys().cloned()).collect(),
            keys: BTreeSet::new(),
            natives: BTreeMap::new(),
            methods: BTreeMap::new(),
            functions: BTreeMap::new(),
            files: sources.libraries.iter().map(|(name, source)| (name.clone(), source.file.clone())).collect(),
        };
        world.files.insert(String::new(), sources.main.file.clone());
        world.add_natives(engine);
        world.keys.extend(world.counts.iter().cloned());
        let state = file.state.values().map(|slot| &slot.item);
        let schemas = state.chain(file.tools.iter().flat_map(|tool| [&tool.parameters, &tool.returns]));
        schemas.for_each(|schema| add_schema_keys(schema, &mut world.keys));
        for (library, tree) in trees.all() {
            add_script_keys(tree, &mut world.keys);
            world.add_functions(library, tree);
        }
        world
    }

    fn add_functions(&mut self, library: &str, tree: &AST) {
        for (name, function) in functions(tree) {
            self.functions.insert((library.to_owned(), name, function.parameters.len()), function);
        }
    }

    fn add_natives(&mut self, engine: &Engine) {
        let handles =
            [("db", TypeId::of::<Db>()), ("collection", TypeId::of::<Table>()), ("entity", TypeId::of::<Row>())];
        let found = engine.collect_fn_metadata(
            None,
            |info| {
                let is_native = info.script.is_none() && info.namespace.is_empty();
                let first = info.metadata.param_types.first().copied();
                is_native.then(|| (info.metadata.name.to_string(), info.metadata.num_params, first))
            },
            true,
        );
        for (name, parameters, first) in found {
            // What starts with `__` is for the engine alone; a script that calls it calls what is not there.
            if name.starts_with("__") {
                continue;
            }
            if let Some(property) = name.strip_prefix("get$") {
                self.keys.insert(property.to_owned());
                continue;
            }
            for (what, id) in &handles {
                if first == Some(*id) || first == Some(TypeId::of::<Dynamic>()) {
                    self.methods.entry(what).or_default().insert((name.clone(), parameters));
                }
            }
            self.natives.entry(name).or_default().insert(parameters);
        }
    }

    /// Whether there is a native function, called in the style of a function.
    pub(super) fn has_native(&self, name: &str, arguments: usize) -> bool {
        KEYWORDS.contains(&name) || self.natives.get(name).is_some_and(|counts| counts.contains(&arguments))
    }

    /// Whether a handle (`db`, `collection`, `entity`) has a method; the handle counts as an argument.
    pub(super) fn has_method(&self, handle: &str, name: &str, arguments: usize) -> bool {
        let is_keyword = KEYWORDS.contains(&name);
        is_keyword || self.methods.get(handle).is_some_and(|all| all.contains(&(name.to_owned(), arguments)))
    }

    pub(super) fn method_names(&self, handle: &str) -> BTreeSet<&str> {
        let all = self.methods.get(handle).into_iter().flatten();
        all.map(|(name, _)| name.as_str()).filter(|name| is_word(name)).collect()
    }

    pub(super) fn function(&self, library: &str, name: &str, parameters: usize) -> Option<FunctionId> {
        let id = (library.to_owned(), name.to_owned(), parameters);
        self.functions.contains_key(&id).then_some(id)
    }

    pub(super) fn closure(&self, library: &str, name: &str) -> Option<Arc<Function>> {
        let from = (library.to_owned(), name.to_owned(), 0);
        let (id, function) = self.functions.range(from..).next()?;
        (id.0 == library && id.1 == name).then(|| Arc::clone(function))
    }

    /// The functions that authors wrote: no closures.
    pub(super) fn written(&self) -> impl Iterator<Item = (&FunctionId, &Arc<Function>)> {
        self.functions.iter().filter(|(id, _)| !id.1.contains('$'))
    }

    /// The fields of the entities of these collections; `None` when a schema is not closed.
    pub(super) fn fields<'a>(&'a self, slots: &'a BTreeSet<String>) -> Option<BTreeMap<&'a str, &'a Value>> {
        let mut fields = BTreeMap::new();
        for slot in slots {
            let (_, item) = self.slots.get(slot)?;
            fields.extend(closed_fields(item)?.iter().map(|(name, schema)| (name.as_str(), schema)));
        }
        Some(fields)
    }

    pub(super) fn arguments(&self, tool: &str) -> Type {
        // An invariant is asked of no call.
        if tool.is_empty() {
            return Type::Closed("parameter", BTreeSet::new());
        }
        self.parameters.get(tool).map_or(Type::Any, |names| Type::Closed("parameter", names.clone()))
    }
}

fn names_of(schema: &Value) -> BTreeSet<String> {
    properties(schema).into_iter().map(|(name, _)| name).collect()
}

/// Whether a name is one that an author can write: operators and internals are not.
pub(super) fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn add_schema_keys(schema: &Value, keys: &mut BTreeSet<String>) {
    keys.extend(within(schema).flat_map(properties).map(|(name, _)| name));
}

/// Keys of map literals, texts and assigned properties of a script.
fn add_script_keys(tree: &AST, keys: &mut BTreeSet<String>) {
    tree.walk(&mut |path: &[ASTNode]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::Map(map, _))) => keys.extend(map.0.iter().map(|(key, _)| key.name.to_string())),
            Some(ASTNode::Expr(Expr::StringConstant(text, _))) => drop(keys.insert(text.to_string())),
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                if let Some(Link::Property(name, _)) = flatten(&assignment.1.lhs).1.last() {
                    keys.insert((*name).to_owned());
                }
            }
            Some(_) | None => {}
        }
        true
    });
}

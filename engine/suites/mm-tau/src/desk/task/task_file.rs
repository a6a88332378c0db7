//! The format of desk tasks: `mm-tau/desk/<retail|airline>/<name>.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::measures::FieldKind;
use probity_bench::named;
use probity_engine::ToolCall;

/// The worlds that have a desk, by the folder of their tasks.
pub const DESK_WORLDS: [(&str, &str); 2] = [("retail", "tau/retail"), ("airline", "tau/airline")];

/// A desk task as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeskTaskFile {
    /// The seed of the population in which it begins.
    #[serde(default = "usual_seed")]
    pub seed: u64,
    /// A JSON merge patch of that population.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub patch: Map<String, Value>,
    /// Calls that are made before it begins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<DeskCall>,
    /// The user's first words, which tell the first wish; a persona has the next of them.
    pub opening: Vec<String>,
    /// What the user knows all along.
    pub facts: BTreeMap<DeskField, FactFile>,
    /// What the user wants, one thing after the other; each as it is wanted at first, and then instead.
    pub wishes: Vec<Vec<StageFile>>,
    /// Fields of which a value that is taken wrong spoils the task.
    pub critical_fields: Vec<DeskField>,
    /// How many turns without progress the user bears, where that is not the persona's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<u32>,
}

const fn usual_seed() -> u64 {
    41
}

/// A tool with its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeskCall {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

impl DeskCall {
    pub fn made(&self) -> ToolCall {
        ToolCall::new(&self.tool, Value::Object(self.arguments.clone()))
    }
}

/// A fact as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FactFile {
    /// How its spellings are compared.
    pub kind: FieldKind,
    /// The value.
    pub value: String,
    /// How it is said, where not in the persona's words; `{}` is the value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub say: Vec<String>,
}

/// A stage of a wish as it is written: what is wanted until something turns it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StageFile {
    /// What the user says; again, in the words that come next.
    pub says: Vec<String>,
    /// What the user knows at this stage.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<DeskField, FactFile>,
    /// Look-ups that show what the agent has to know; they must come before a hand-over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<DeskCall>,
    /// The call that is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<DeskCall>,
    /// What a proposal of it must not have wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<NamedFile>,
    /// The words of an agent that knows all: what it would do, or why it cannot.
    pub offer: String,
    /// What the user asks where a proposal does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
    /// What must be told: amounts, ids, words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tells: Vec<String>,
    /// What turns the wish to its next stage; the last has nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// How the last stage ends.
    #[serde(default)]
    pub ends: StageEnd,
}

/// Words that a proposal must not have wrong: it is, where it has some of `not` and none of `is`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedFile {
    /// The right words.
    pub is: Vec<String>,
    /// The wrong words.
    pub not: Vec<String>,
}

/// What turns a wish to its next stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Until {
    /// The agent says that it cannot be had.
    Refused,
    /// The agent proposes the call, to which the user does not agree.
    Proposed,
    /// The agent tells all of these.
    Told(Vec<String>),
    /// The agent has called this tool.
    Called(String),
    /// The agent has asked for this field, and got it.
    Answered(DeskField),
}

/// How the last stage of a wish ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StageEnd {
    /// The call is made, after a yes.
    #[default]
    Agreed,
    /// It cannot be had.
    Refused,
    /// Somebody else takes over.
    HandedOver,
    /// What must be told is told.
    Told,
}

named! {
    /// What a user of a desk can be asked for.
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum DeskField {
        /// The address for letters.
        Email = "email",
        /// The first name.
        FirstName = "first_name",
        /// The last name.
        LastName = "last_name",
        /// The zip code.
        Zip = "zip",
        /// The number or name of an account.
        UserId = "user_id",
        /// The number of an order.
        OrderId = "order_id",
        /// The code of a reservation.
        ReservationId = "reservation_id",
        /// Why something is wanted.
        Reason = "reason",
        /// What pays, or gets money back.
        Payment = "payment",
        /// Which goods.
        Item = "item",
        /// Which colour, size or make.
        Variant = "variant",
        /// Where goods go.
        Address = "address",
        /// On which day.
        Date = "date",
        /// Which flight.
        Flight = "flight",
        /// Which cabin.
        Cabin = "cabin",
        /// From where to where.
        Route = "route",
        /// Who flies.
        Passengers = "passengers",
        /// How many bags.
        Bags = "bags",
        /// Whether insured.
        Insurance = "insurance",
    }
}

impl DeskField {
    pub(crate) const fn is_identity(self) -> bool {
        matches!(
            self,
            DeskField::Email | DeskField::FirstName | DeskField::LastName | DeskField::Zip | DeskField::UserId
        )
    }
}

//! The flags of the user, and the model that speaks for it.

use super::provider::{ProviderFlags, elsewhere, prices};
use probity_behaviour::benchmark::SCRIPTED_SWAPPED;
use probity_bench::{Benchmark, Form, MODEL_USER, ModelName, NamedAgent, Prices, USER_UNIT, UserModel};
use probity_engine::suggest;
use probity_local::Failure;

/// Who plays the user, and what that costs.
#[derive(clap::Args)]
pub struct UserFlags {
    #[command(flatten)]
    who: SpeakerFlags,
    #[command(flatten)]
    price: UserPriceFlags,
}

/// Who plays the user.
#[derive(clap::Args)]
#[command(next_help_heading = "The user")]
pub struct SpeakerFlags {
    /// scripted says the task's turns, contract also answers questions from the task's facts, model has a model find
    /// the contract user's words [default: the first that the suite has]
    #[arg(long = "user", value_name = "KIND", conflicts_with = "swap_turns")]
    kind: Option<String>,
    /// The model that speaks for the user: MODEL, asked in the agents' wire form, or anthropic:MODEL and the like
    #[arg(long, value_name = "MODEL")]
    user_model: Option<String>,
    /// Where its provider is [default: as --base-url, if that is spoken to alike]
    #[arg(long, value_name = "URL", conflicts_with = "cassette")]
    user_base_url: Option<String>,
    /// The environment variable that holds its key [default: as --api-key-env, or the variable of its wire form; no key with a
    /// --user-base-url]
    #[arg(long, value_name = "NAME")]
    user_api_key_env: Option<String>,
    /// A control experiment: every user says the turns of another task, so only an agent that does not listen succeeds
    #[arg(long)]
    swap_turns: bool,
}

/// What the model of the user costs.
#[derive(clap::Args)]
#[command(next_help_heading = "The user")]
pub struct UserPriceFlags {
    /// What its tokens cost, like --prices [default: as --prices]
    #[arg(long, value_name = "PROMPT,COMPLETION", value_parser = prices)]
    user_prices: Option<Prices>,
}

impl UserFlags {
    pub(super) fn prices(&self) -> Option<Prices> {
        self.price.user_prices
    }

    /// Who plays the user: one that the benchmark has.
    pub(super) fn kind(&self, benchmark: &dyn Benchmark) -> Result<String, Failure> {
        let known = benchmark.users();
        let wanted = if self.who.swap_turns { Some(SCRIPTED_SWAPPED) } else { self.who.kind.as_deref() };
        let Some(kind) = wanted.or(known.first().copied()).filter(|kind| known.contains(kind)) else {
            let kind = wanted.unwrap_or_default();
            let near = suggest::nearest(kind, known.iter().copied());
            let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            return Err(Failure::new(
                format!("there is no user `{kind}`"),
                format!("{near}one of {}", known.join(", ")),
            ));
        };
        Ok(kind.to_owned())
    }

    /// The model of a model user, asked as the agents' provider is where no flag says otherwise, and the text of
    /// the cassette that it answers from.
    pub(super) fn model(
        &self,
        kind: &str,
        (provider, agents): (&ProviderFlags, Option<Form>),
    ) -> Result<(Option<UserModel>, Option<String>), Failure> {
        match (kind, self.who.user_model.as_ref().filter(|model| !model.trim().is_empty())) {
            (MODEL_USER, Some(model)) => {
                // A name alone is one that the agents' provider knows.
                let plain = |_| ModelName { form: agents.unwrap_or_default(), model: model.clone() };
                let ModelName { form, model } = model.parse().unwrap_or_else(plain);
                let (config, cassette) = provider.config(agents.unwrap_or(form))?;
                let (url, key) = (self.who.user_base_url.as_ref(), self.who.user_api_key_env.as_ref());
                let provider = elsewhere(config, form, (Some("--user-base-url"), url), key, self.prices())?;
                provider.check().map_err(|what| Failure::new(what, "give another `--user-base-url`"))?;
                Ok((Some(UserModel { model, provider }), cassette))
            }
            (MODEL_USER, None) => Err(Failure::new("the user `model` needs a model", "name it with `--user-model`")),
            _ if self.names_a_model() => {
                let message = format!("the user `{kind}` asks no model");
                Err(Failure::new(message, "add `--user model`, or leave out the flags of its model"))
            }
            _ => Ok((None, None)),
        }
    }

    fn names_a_model(&self) -> bool {
        let is_priced = self.prices().is_some();
        is_priced
            || [&self.who.user_model, &self.who.user_base_url, &self.who.user_api_key_env]
                .into_iter()
                .any(Option::is_some)
    }
}

/// An agent whose name reads like a user's unit would share its place in the cassette.
pub(super) fn names_are_apart(agents: &[NamedAgent]) -> Result<(), Failure> {
    match agents.iter().find(|agent| agent.name.starts_with(USER_UNIT)) {
        Some(agent) => {
            let message = format!("an agent cannot be called `{}` beside a user with a model", agent.name);
            Err(Failure::new(message, "name it with `--as`"))
        }
        None => Ok(()),
    }
}

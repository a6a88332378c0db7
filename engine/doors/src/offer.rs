//! What can be played through a door, and how.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use probity_bench::run::unit::episode_seed;
use probity_bench::{
    Benchmark, Instance, Limits, MAX_MESSAGES, MAX_SEED, MODEL_USER, ModelName, Options, Services, Setting, Words,
};

use probity_engine::suggest;

use super::episode::{Episode, Ways};
use super::{Opening, Refusal};

/// The instances of a benchmark by task, and how they are played where an opening does not say otherwise.
pub struct Offer<'a> {
    benchmark: &'a dyn Benchmark,
    services: Services<'a>,
    tasks: BTreeMap<String, Vec<Arc<Instance>>>,
    /// The agent's name in records.
    agent: String,
    ways: Ways,
    user: String,
    seed: u64,
    limits: Limits,
    options: Options,
}

impl<'a> Offer<'a> {
    /// All of a benchmark, played as a run without flags would.
    pub fn new(benchmark: &'a dyn Benchmark, services: Services<'a>, agent: &str) -> Offer<'a> {
        let mut tasks: BTreeMap<String, Vec<Arc<Instance>>> = BTreeMap::new();
        for at in benchmark.instances() {
            tasks.entry(at.task.clone()).or_default().push(Arc::new(at));
        }
        let user = benchmark.users().first().copied().unwrap_or_default().to_owned();
        let (agent, limits) = (agent.to_owned(), Limits::default());
        Offer {
            benchmark,
            services,
            tasks,
            agent,
            ways: Ways { is_shaped: false, is_rewarded: true },
            user,
            seed: 0,
            limits,
            options: Options::new(),
        }
    }

    /// The same with other choices where an opening makes none.
    ///
    /// # Errors
    /// The suite has no such user or option, or a number is beyond its bounds.
    pub fn with(mut self, opening: &Opening) -> Result<Offer<'a>, Refusal> {
        let (user, seed, limits, options) = self.choices(opening)?;
        (self.user, self.seed, self.limits, self.options) = (user, seed, limits, options);
        Ok(self)
    }

    /// The same for training: clients are told how far they have come, which shows what is wanted.
    #[must_use]
    pub fn shaped(self, is_shaped: bool) -> Offer<'a> {
        Offer { ways: Ways { is_shaped, ..self.ways }, ..self }
    }

    /// The same where tools alone are tried and nothing is to be done: no episode has a reward.
    #[must_use]
    pub fn unrewarded(self) -> Offer<'a> {
        Offer { ways: Ways { is_rewarded: false, ..self.ways }, ..self }
    }

    /// What is played.
    pub fn benchmark(&self) -> &'a dyn Benchmark {
        self.benchmark
    }

    /// All there is to play, of one task or of all.
    pub fn instances<'s>(&'s self, task: Option<&'s str>) -> impl Iterator<Item = &'s Instance> {
        let is_wanted = move |id: &str| task.is_none_or(|task| is_named(id, task));
        self.tasks.iter().filter(move |(id, _)| is_wanted(id)).flat_map(|(_, all)| all).map(AsRef::as_ref)
    }

    /// Begins an episode; what it holds is added to `held`, in bytes, as long as it does.
    ///
    /// # Errors
    /// There is no such task, level, user or option, or nobody to be its user.
    pub fn open(&self, opening: &Opening, held: &Arc<AtomicUsize>) -> Result<Episode<'a>, Refusal> {
        let at = self.instance(opening)?;
        let (user, seed, limits, options) = self.choices(opening).map_err(|refusal| match refusal.code {
            "unknown_option" => Refusal { help: format!("the field is `options`; {}", refusal.help), ..refusal },
            _ => refusal,
        })?;
        let seed = episode_seed(seed, &at, opening.trial);
        let setting = Setting { seed, limits, user: &user, options: &options, next: None };
        let dialogue = self.benchmark.open(&at, &setting, Words::Found(self.services)).ok_or_else(|| {
            let help =
                "one who says the words of another task is for runs alone; leave `user` out for the suite's first";
            Refusal::new("unknown_user", format!("`{user}` cannot be the user there"), help)
        })?;
        Ok(Episode::begin(self.benchmark, (&self.agent, self.ways), (at, opening.trial), dialogue, held))
    }

    fn instance(&self, opening: &Opening) -> Result<Arc<Instance>, Refusal> {
        let named = self.tasks.get(&opening.task).or_else(|| {
            let mut named = self.tasks.iter().filter(|(id, _)| is_named(id, &opening.task));
            named.next().filter(|_| named.next().is_none()).map(|(_, all)| all)
        });
        let known = || self.tasks.keys().map(String::as_str);
        let alike: Vec<&str> = known().filter(|id| is_named(id, &opening.task)).take(4).collect();
        if named.is_none() && alike.len() > 1 {
            let message = format!("`{}` is the name of more than one task", opening.task);
            return Err(Refusal::new("unknown_task", message, format!("say which: `{}`", alike.join("`, `"))));
        }
        let all = named.ok_or_else(|| {
            let wanted: String = opening.task.chars().take(80).collect();
            let names = known().chain(known().filter_map(|id| id.rsplit('/').next()));
            let near = suggest::nearest(&wanted, names).map(|near| format!("did you mean `{near}`?"));
            let help = near.unwrap_or_else(|| "`{\"instances\": {}}` lists all; `probity show` as well".to_owned());
            Refusal::new("unknown_task", format!("there is no task `{wanted}`"), help)
        })?;
        let is_wanted = |at: &&Arc<Instance>| {
            opening.levels.iter().all(|(factor, level)| at.setting.get(factor) == Some(level.as_str()))
        };
        all.iter().find(is_wanted).cloned().ok_or_else(|| {
            let known = all.iter().map(|at| at.setting.to_string()).collect::<Vec<_>>().join("`, `");
            let wanted = opening.levels.iter().map(|(factor, level)| format!("{factor}={level}")).collect::<Vec<_>>();
            let wanted: String = wanted.join(" ").chars().take(200).collect();
            let known: String = known.chars().take(400).collect();
            Refusal::new("unknown_levels", format!("the task is not played at {wanted}"), format!("there is `{known}`"))
        })
    }

    fn no_model(&self, user: &str) -> Refusal {
        let known = self.benchmark.users().iter().copied().filter(|known| *known != MODEL_USER);
        let known = known.collect::<Vec<_>>().join("`, `");
        let user: String = user.chars().take(80).collect();
        let message = format!(
            "`{user}` asks a model, and who speaks for the user of a served episode asks nobody: the same moves have the \
             same digest, without a key and without waiting"
        );
        let help = format!(
            "take one of `{known}`; a model speaks in `probity run --user model --user-model MODEL`, where the agent may be \
             one in a process"
        );
        Refusal::new("unknown_user", message, help)
    }

    fn choices(&self, opening: &Opening) -> Result<(String, u64, Limits, Options), Refusal> {
        let user = opening.user.as_ref().unwrap_or(&self.user);
        let users = self.benchmark.users();
        if asks_a_model(user) {
            return Err(self.no_model(user));
        }
        if !users.iter().any(|known| user == known) {
            let known = users.iter().copied().filter(|known| *known != MODEL_USER);
            return Err(Refusal::unknown("unknown_user", "user", user, known));
        }
        let seed = opening.seed.unwrap_or(self.seed);
        if seed > MAX_SEED {
            return Err(Refusal::new("bad_request", format!("a seed is at most {MAX_SEED}"), "take a smaller one"));
        }
        let max_messages = opening.max_messages.unwrap_or(self.limits.max_messages);
        if !(1..=MAX_MESSAGES).contains(&max_messages) {
            let help = format!("1 to {MAX_MESSAGES}");
            return Err(Refusal::new("bad_request", format!("an episode cannot have {max_messages} messages"), help));
        }
        let options = match &opening.options {
            Some(options) => {
                let asked: Vec<(String, String)> = options.clone().into_iter().collect();
                let known = self.benchmark.card().options(&asked);
                known.map_err(|(what, help)| Refusal::new("unknown_option", what, help))?
            }
            None => self.options.clone(),
        };
        Ok((user.clone(), seed, Limits { max_messages }, options))
    }
}

/// Whether somebody speaks for the user who has to be asked elsewhere: `model`, or a model by its name.
fn asks_a_model(user: &str) -> bool {
    user.split(':').next() == Some(MODEL_USER) || user.parse::<ModelName>().is_ok()
}

fn is_named(id: &str, task: &str) -> bool {
    id == task || id.rsplit('/').next() == Some(task)
}

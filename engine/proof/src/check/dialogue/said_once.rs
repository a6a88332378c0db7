//! Problems of single behaviours, put together: what is the same under several is said once.

use probity_behaviour::model::variant::Variant;
use probity_behaviour::task::Task;
use probity_engine::Problem;

#[derive(Default)]
pub struct ProblemsByVariant(Vec<(Problem, Vec<Variant>)>);

impl ProblemsByVariant {
    pub fn add(&mut self, problem: Problem, variant: Variant) {
        match self.0.iter_mut().find(|(known, _)| *known == problem) {
            Some((_, variants)) => variants.push(variant),
            None => self.0.push((problem, vec![variant])),
        }
    }

    pub fn into_problems(self, task: &Task) -> Vec<Problem> {
        let all = task.variants().len();
        let named = self.0.into_iter().map(|(problem, variants)| {
            let names: Vec<String> = variants.iter().map(|variant| format!("`{variant}`")).collect();
            let under = if variants.len() == all { "every behaviour".to_owned() } else { names.join(", ") };
            Problem { message: format!("{} (under {under})", problem.message), ..problem }
        });
        named.collect()
    }
}

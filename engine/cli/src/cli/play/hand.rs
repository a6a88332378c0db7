//! The loop of `probity play`: a line, a command, an answer.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Value, json};

use super::lines::{LineInput, Lines};
use super::write_run;
use crate::cli::exit::Exit;
use crate::cli::{Global, output};
use probity_behaviour::{
    benchmark::{BehaviourBenchmark, CARD},
    load::lock,
    suite::Suite,
};
use probity_bench::Benchmark as _;
use probity_engine::write_new;
use probity_local::Failure;
use probity_local::play::answer::{Answer, Done, Wish, answer, moment};
use probity_local::play::command::{Command, parse};
use probity_local::play::draft::{draft, to_do_list};
use probity_local::play::save::{saved, task_id};
use probity_local::play::session::{Partner, Session};
use probity_local::play::view;
use probity_report::transcript;

/// A player who calls tools, and in a task replies.
pub(super) struct Hand<'a> {
    global: &'a Global,
    suite: Arc<Suite>,
    benchmark: &'a BehaviourBenchmark,
    session: Rc<RefCell<Session<'a>>>,
    has_refused: bool,
}

impl<'a> Hand<'a> {
    /// `suite` is the benchmark's.
    pub fn new(
        global: &'a Global,
        (suite, benchmark): (Arc<Suite>, &'a BehaviourBenchmark),
        session: Session<'a>,
    ) -> Self {
        Hand { global, suite, benchmark, session: Rc::new(RefCell::new(session)), has_refused: false }
    }

    pub fn play(mut self) -> Exit {
        let mut lines = Lines::open(Some(Rc::clone(&self.session)));
        self.greet();
        loop {
            let prompt = format!("{}> ", self.session.borrow().name());
            let read = match lines.next(&prompt) {
                LineInput::Line(line) => parse(&line, self.session.borrow().task().environment()),
                LineInput::Unfit(what) => Err(Failure::new(what, "give one command a line")),
                LineInput::Dropped => Ok(None),
                LineInput::End => break,
            };
            match read.and_then(|command| command.map_or(Ok(true), |command| self.carry_out(command))) {
                Ok(true) => {}
                Ok(false) => break,
                Err(refusal) => self.refuse(&refusal),
            }
            if output::is_lost() {
                break;
            }
        }
        // A script with a command that means nothing did not do what it says.
        if self.has_refused && !lines.is_typed() { Exit::BadInput } else { Exit::Clean }
    }

    fn greet(&self) {
        let session = self.session.borrow();
        if !self.global.quiet {
            let what = match session.partner() {
                Partner::Nobody => session.task().environment().id().to_owned(),
                Partner::User => format!("{}, {}", session.task().id(), session.variant()),
            };
            output::note(&format!("{what}; Tab completes, `help` lists the commands, `quit` leaves"));
        }
        if session.partner() == Partner::User {
            self.show(&moment(&session));
        }
    }

    fn show(&self, answer: &Answer) {
        match self.global.json {
            true => output::json_line(&answer.json),
            false => output::print(&answer.text),
        }
    }

    fn refuse(&mut self, failure: &Failure) {
        self.has_refused = true;
        match self.global.json {
            true => output::json_line(&json!({"error": {"message": failure.message, "help": failure.help}})),
            false => output::error(&failure.message, &failure.help),
        }
    }

    /// Whether play goes on.
    fn carry_out(&mut self, command: Command) -> Result<bool, Failure> {
        let is_move = matches!(command, Command::Call(_) | Command::Say(_) | Command::Redo(_));
        let done = answer(&mut self.session.borrow_mut(), command)?;
        match done {
            Done::Wished(Wish::Quit) => return Ok(false),
            Done::Wished(Wish::SaveTrace(path)) => self.save_trace(&path)?,
            Done::Wished(Wish::SaveTask(text)) => self.save_task(&text)?,
            Done::Answered(answer) => {
                self.show(&answer);
                if is_move && self.session.borrow().is_over() {
                    self.show_scores()?;
                }
            }
        }
        Ok(true)
    }

    fn show_scores(&self) -> Result<(), Failure> {
        let record = saved(&self.session.borrow(), &self.suite).ok_or_else(not_scored)?.record;
        let remarks = self.benchmark.remarks(&record.instance(), &record.trace);
        let json = json!({"scores": record.scores, "digest": record.digest, "remarks": remarks});
        let told = transcript::Beyond { remarks: &remarks, ..transcript::Beyond::default() };
        let text = transcript::scores(&CARD, &record, &told);
        self.show(&Answer::new(view::folded(&text, "call_missing:"), json));
        Ok(())
    }

    fn save_trace(&self, path: &str) -> Result<(), Failure> {
        let saved = saved(&self.session.borrow(), &self.suite).ok_or_else(not_scored)?;
        write_run(self.global, Path::new(path), &saved)?;
        let text = format!("wrote {path}; `probity show {path}` shows it\n");
        self.show(&Answer::new(text, json!({"wrote": path, "digest": saved.record.digest})));
        Ok(())
    }

    fn save_task(&self, text: &str) -> Result<(), Failure> {
        let session = self.session.borrow();
        let id = task_id(text, session.task().environment())?;
        let file = draft(&session, &id);
        let path = format!("tasks/{id}.json");
        let (text, lock) = lock::split(&file);
        write_new(&self.global.root, &[(&path, &text), (&lock::path_of(&path), &lock)])
            .map_err(|unwritten| Failure::unwritten(&unwritten, "choose another name; nothing is overwritten"))?;
        let list = to_do_list(&file);
        let lines: String = list.iter().map(|line| format!("  to do: {line}\n")).collect();
        let json: Value = json!({"wrote": path, "to_do": list});
        self.show(&Answer::new(format!("wrote {path}\n{lines}  then `probity check` tells what is left\n"), json));
        Ok(())
    }
}

fn not_scored() -> Failure {
    Failure::new("the play cannot be scored", "`probity check` tells what is wrong with the task")
}

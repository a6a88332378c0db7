//! Built-in service agents: what one says and calls next. They know the task, whose gold calls are their plan, but have
//! the user's data only from what they hear, and ids only from the records that they look up.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::manner::{Care, HandsOver, ServiceManner, affirms, asks_back, dashed, news, spoilt, thanks};
use super::plan::{PlanStage, Records, is_refusal, plan};
use crate::measures::{FieldKind, canonical};
use crate::people::phrasebook::lesson;
use crate::people::understanding::DeviceStep;
use crate::telecom::{BILL_ID, Call, REFUEL_GB, TelecomTask, escalation};
use probity_bench::{Agent, AgentFault, AgentMessage, Brief, Heard};
use probity_engine::ToolCall;

const NUMBER_DIGITS: usize = 10;
/// How often a step is told until the agent goes on.
const TELLINGS: u32 = 4;
/// How often the plan is gone through.
const ROUNDS: u32 = 2;

#[derive(Clone, Debug, PartialEq)]
enum Awaited {
    Complaint,
    Number,
    Confirmation(String),
    Customer(String),
    Lines(String),
    Details,
    Report(DeviceStep, u32),
    Consent(Call),
    Outcome(Call),
    End,
    /// Nothing more: somebody else takes over.
    Relief,
}

pub struct ServiceAgent {
    task: TelecomTask,
    manner: ServiceManner,
    care: Care,
    awaited: Awaited,
    plan: VecDeque<PlanStage>,
    records: Records,
    tries: u32,
    rounds: u32,
    news: String,
}

impl ServiceAgent {
    pub fn new(task: &TelecomTask, manner: ServiceManner) -> ServiceAgent {
        let care = manner.care();
        ServiceAgent {
            task: task.clone(),
            manner,
            care,
            awaited: Awaited::Complaint,
            plan: plan(task, care),
            records: Records::default(),
            tries: 0,
            rounds: 1,
            news: String::new(),
        }
    }

    fn hear(&mut self, text: &str) -> AgentMessage {
        match self.awaited.clone() {
            Awaited::Complaint if self.care.hands_over == HandsOver::AtOnce => self.hand_over(),
            Awaited::Complaint => self.ask_number("I'm sorry to hear that. May I have your phone number, please?"),
            Awaited::Number => self.take_number(text, None),
            Awaited::Confirmation(number) => self.take_number(text, Some(&number)),
            Awaited::Report(step, tellings) if asks_back(text) && tellings < TELLINGS => {
                self.awaited = Awaited::Report(step, tellings + 1);
                self.say(&lesson(step).guided)
            }
            Awaited::Consent(call) if affirms(text) => self.make(&call),
            Awaited::Consent(_) => self.go_on(),
            Awaited::End if asks_back(text) => {
                self.say(&lesson(DeviceStep::Look(self.task.scenario().goal.into())).guided)
            }
            Awaited::End => self.try_again(),
            Awaited::Relief => self.hand_on(),
            Awaited::Report(..) => {
                self.news = thanks(self.plan.len()).to_owned();
                self.go_on()
            }
            // Words where results were due: nothing was called, so the plan goes on.
            Awaited::Customer(_) | Awaited::Lines(_) | Awaited::Details | Awaited::Outcome(_) => self.go_on(),
        }
    }

    fn read(&mut self, results: &[Value]) -> AgentMessage {
        let first = results.first().unwrap_or(&Value::Null);
        match self.awaited.clone() {
            Awaited::Customer(number) if self.records.take_customer(first) => {
                self.awaited = Awaited::Lines(number);
                self.calls(self.records.line_calls())
            }
            Awaited::Customer(_) => self
                .ask_number("I can't find that number. Could you please give me the number once more, digit by digit?"),
            Awaited::Lines(number) => {
                self.records.take_line(results, &number);
                self.awaited = Awaited::Details;
                self.calls(self.records.detail_calls())
            }
            Awaited::Details => {
                self.records.take_details(results);
                self.news = "Thank you, I've found your account.".to_owned();
                self.go_on()
            }
            Awaited::Outcome(call) => {
                let told =
                    if is_refusal(first) { "That was refused on my side, I'm afraid." } else { news(&call.function) };
                self.news = told.to_owned();
                self.go_on()
            }
            Awaited::Relief => self.hand_on(),
            Awaited::Complaint
            | Awaited::Number
            | Awaited::Confirmation(_)
            | Awaited::Report(..)
            | Awaited::Consent(_)
            | Awaited::End => self.go_on(),
        }
    }

    fn ask_number(&mut self, words: &str) -> AgentMessage {
        self.tries += 1;
        if self.tries > self.care.tries {
            self.news = "I can't find your account, so let's see what can be done on your phone.".to_owned();
            return self.go_on();
        }
        self.awaited = Awaited::Number;
        self.say(words)
    }

    /// Takes a number from what was heard, or the answer to a number that was read back.
    fn take_number(&mut self, text: &str, read_back: Option<&str>) -> AgentMessage {
        let heard = canonical(FieldKind::Digits, text);
        if let Some(number) = read_back
            && (heard == number || (heard.is_empty() && affirms(text)))
        {
            return self.look_up(number.to_owned());
        }
        if heard.chars().count() != NUMBER_DIGITS {
            return self
                .ask_number("I'm sorry, I didn't get all of that. Could you please repeat the number digit by digit?");
        }
        if !self.care.reads_back {
            return self.look_up(if self.care.keeps_digits { heard } else { spoilt(&heard) });
        }
        self.tries += 1;
        let words = format!("I heard {}. Is that right?", dashed(&heard));
        self.awaited = Awaited::Confirmation(heard);
        self.say(&words)
    }

    fn look_up(&mut self, number: String) -> AgentMessage {
        let arguments = json!({"phone_number": dashed(&number)});
        self.awaited = Awaited::Customer(number);
        self.calls(vec![("get_customer_by_phone".to_owned(), arguments)])
    }

    fn go_on(&mut self) -> AgentMessage {
        loop {
            match self.plan.pop_front() {
                Some(PlanStage::Tell(step)) => {
                    self.awaited = Awaited::Report(step, 1);
                    return self.say(&lesson(step).short);
                }
                Some(PlanStage::Make(call)) if self.records.call(&call).is_none() => {}
                Some(PlanStage::Make(call)) if self.care.asks_consent => {
                    let words = self.question(&call);
                    self.awaited = Awaited::Consent(call);
                    return self.say(&words);
                }
                Some(PlanStage::Make(call)) => return self.make(&call),
                Some(PlanStage::HandOver) => return self.hand_over(),
                Some(PlanStage::Prove) => {
                    self.awaited = Awaited::End;
                    return self.say(&lesson(DeviceStep::Look(self.task.scenario().goal.into())).short);
                }
                Some(PlanStage::Claim) | None => {
                    self.awaited = Awaited::End;
                    return self.say("Your problem is solved. Is there anything else I can do for you?");
                }
            }
        }
    }

    /// Goes through the plan once more; in the end says that it is solved.
    fn try_again(&mut self) -> AgentMessage {
        let is_repair = !self.task.gold().is_transfer();
        if self.rounds < ROUNDS && is_repair {
            self.rounds += 1;
            self.plan = plan(&self.task, self.care);
            self.news = "I'm sorry. Let's go through it once more.".to_owned();
        }
        self.go_on()
    }

    fn question(&self, call: &Call) -> String {
        let dollars = |amount: Option<f64>| amount.map(|amount| format!("${amount:.2}"));
        match call.function.as_str() {
            "refuel_data" => {
                let price = dollars(self.records.price(REFUEL_GB)).unwrap_or_else(|| "the usual price".to_owned());
                format!("The data of your plan are used up. I could add {REFUEL_GB} GB for {price}. Shall I do that?")
            }
            "send_payment_request" => {
                let due = dollars(self.records.due(BILL_ID)).map(|due| format!(" of {due}")).unwrap_or_default();
                format!(
                    "Your line is suspended, since a bill{due} is overdue. May I send you a payment request for it?"
                )
            }
            "resume_line" => "Your payment has come in. Shall I resume your line now?".to_owned(),
            _ => "Your line does not allow roaming. May I enable roaming on your line?".to_owned(),
        }
    }

    fn make(&mut self, call: &Call) -> AgentMessage {
        match self.records.call(call) {
            Some(made) => {
                self.awaited = Awaited::Outcome(call.clone());
                self.calls(vec![made])
            }
            None => self.go_on(),
        }
    }

    fn hand_on(&mut self) -> AgentMessage {
        self.say("A colleague will take over from here. Please stay on the line.")
    }

    fn hand_over(&mut self) -> AgentMessage {
        self.awaited = Awaited::Relief;
        let summary = "The customer's problem needs a person with wider powers.";
        self.calls(vec![(escalation().tool.clone(), json!({"summary": summary}))])
    }

    /// A message of calls; where there is nothing to call, the plan goes on.
    fn calls(&mut self, calls: Vec<(String, Value)>) -> AgentMessage {
        if calls.is_empty() {
            return self.go_on();
        }
        let calls = calls.into_iter().map(|(tool, arguments)| ToolCall::new(tool, arguments)).collect();
        AgentMessage { calls, ..AgentMessage::default() }
    }

    fn say(&mut self, words: &str) -> AgentMessage {
        let news = std::mem::take(&mut self.news);
        let text = if news.is_empty() { words.to_owned() } else { format!("{news} {words}") };
        AgentMessage { text: Some(text), ..AgentMessage::default() }
    }
}

impl Agent for ServiceAgent {
    fn start(&mut self, _brief: &Brief) -> Result<(), AgentFault> {
        *self = ServiceAgent::new(&self.task, self.manner);
        Ok(())
    }

    /// The next message, after what was heard or what the tools gave back (a refusal is an object with `error`).
    fn respond(&mut self, heard: &Heard) -> Result<AgentMessage, AgentFault> {
        Ok(match heard {
            Heard::User(text) => self.hear(text),
            Heard::Observations(results) => self.read(results),
        })
    }
}

//! One thing that is counted beside the scripts, and what is so of it.

use super::seen::{Pair, Seen};

/// Where something is counted.
#[derive(Clone, Copy)]
pub struct Scope {
    /// The environment; every one where there is none.
    pub environment: &'static str,
    /// The only tool after whose calls it is counted, if not after all that changed something.
    pub tool: Option<&'static str>,
}

impl Scope {
    const fn of(environment: &'static str) -> Scope {
        Scope { environment, tool: None }
    }

    /// The same after calls of one tool alone.
    pub const fn after(self, tool: &'static str) -> Scope {
        Scope { tool: Some(tool), ..self }
    }
}

pub const EVERYWHERE: Scope = Scope::of("");
pub const BANK: Scope = Scope::of("finance/bank");
pub const BROKERAGE: Scope = Scope::of("finance/brokerage");
pub const CATALOGUE: Scope = Scope::of("media_streaming/catalogue");
pub const CLINIC: Scope = Scope::of("healthcare/clinic");
pub const FREIGHT: Scope = Scope::of("transportation_logistics/freight");
pub const FRONT_DESK: Scope = Scope::of("travel_hospitality/front_desk");
pub const GUILD: Scope = Scope::of("gaming/guild");
pub const MARKETPLACE: Scope = Scope::of("e_commerce/marketplace");
pub const MODERATION: Scope = Scope::of("social_forum/moderation");
pub const NETWORK: Scope = Scope::of("infrastructure_devops/network");
pub const PLATFORM: Scope = Scope::of("infrastructure_devops/platform");
pub const STAFF: Scope = Scope::of("enterprise_crm_hr/staff");
pub const SUBSCRIPTIONS: Scope = Scope::of("e_commerce/subscriptions");
pub const TOURNAMENT: Scope = Scope::of("sports/tournament");
pub const TOURS: Scope = Scope::of("travel_hospitality/tours");
pub const TRANSIT: Scope = Scope::of("transportation_logistics/transit");

/// How two numbers that are counted stand to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Is {
    Same,
    AtMost,
}

pub struct Count {
    pub scope: Scope,
    pub says: &'static str,
    pub is: Is,
    pub pairs: fn(&Seen) -> Vec<Pair>,
}

impl Count {
    pub fn holds(&self, pair: &Pair) -> bool {
        match self.is {
            Is::Same => pair.one == pair.other,
            Is::AtMost => pair.one <= pair.other,
        }
    }

    /// Whether it is counted after such a call.
    pub fn is_due(&self, environment: &str, seen: &Seen) -> bool {
        let Scope { environment: home, tool } = self.scope;
        let is_at_home = home.is_empty() || home == environment;
        is_at_home && tool.map_or(seen.differences() > 0, |tool| tool == seen.call.tool && seen.got.is_some())
    }
}

/// Two numbers that are one after every call that changed something.
pub const fn same(scope: Scope, says: &'static str, pairs: fn(&Seen) -> Vec<Pair>) -> Count {
    Count { scope, says, is: Is::Same, pairs }
}

/// The first number is never above the second.
pub const fn at_most(scope: Scope, says: &'static str, pairs: fn(&Seen) -> Vec<Pair>) -> Count {
    Count { scope, says, is: Is::AtMost, pairs }
}

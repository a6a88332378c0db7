//! Points: what may be used so many times or in such an order: points, hours, skips, tries, restores and steps.

use jiff::civil::{Date, Weekday};
use probity_engine::Fields;

use super::count::{
    BANK, CATALOGUE, CLINIC, Count, GUILD, MODERATION, NETWORK, PLATFORM, STAFF, SUBSCRIPTIONS, TOURNAMENT, TRANSIT,
    at_most, same,
};
use super::seen::{Rows, Seen, Told, alone, days, moment};

/// The points of all that is in a box.
fn points(seen: &Seen, one: &Fields) -> i64 {
    one.list("items").iter().map(|item| seen.one("items", item.as_str().unwrap()).n("points")).sum()
}

fn plan<'a>(seen: &Seen<'a>, subscription: &str) -> &'a Fields {
    seen.one("plans", seen.one("subscriptions", subscription).s("plan_id"))
}

fn quarter(one: &Fields) -> (i16, i8) {
    let day = one.day("dispatch_on");
    (day.year(), (day.month() - 1) / 3)
}

/// Monday to Friday, from a day to another.
fn working_days(first: Date, last: Date) -> Vec<Date> {
    let all = first.series(jiff::Span::new().days(1)).take_while(|day| *day <= last);
    all.filter(|day| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)).collect()
}

pub fn is_live(absence: &Fields) -> bool {
    absence.is("status", "requested") || absence.is("status", "approved")
}

/// Holiday of a person that is asked for or given.
fn holiday<'a>(seen: &Seen<'a>, person: &str) -> Rows<'a> {
    seen.all("absences").of("person_id", person).of("kind", "holiday").having(is_live)
}

fn balance<'a>(seen: &Seen<'a>, person: &str) -> &'a Fields {
    seen.all("balances").of("person_id", person).iter().next().unwrap()
}

/// Months of which the hours have grown by a day, from the year of the clock on.
fn months(seen: &Seen, day: Date) -> i64 {
    i64::from(12 * (day.year() - seen.today().year()) + i16::from(day.month()))
}

/// How many of a team are there on a day.
fn present(seen: &Seen, team: &str, day: Date) -> i64 {
    let away =
        seen.all("absences").having(|one| is_live(one) && one.day("first_day") <= day && day <= one.day("last_day"));
    let is_gone = |one: &Fields| ["last_day", "contract_end"].iter().any(|end| one.has(end) && one.day(end) < day);
    let there = |one: &Fields| !is_gone(one) && away.of("person_id", one.s("person_id")).count() == 0;
    seen.all("people").of("team_id", team).having(there).count()
}

/// Days of a pass that can still be used after today.
fn unused(seen: &Seen, pass: &Fields) -> i64 {
    let (from, to, today) = (pass.day("valid_from"), pass.day("valid_to"), seen.today());
    let to_come = match pass.s("status") {
        "refunded" => 0,
        _ if today < from => days(from, to) + 1,
        _ => days(today, to).max(0),
    };
    if !pass.has("travel_days_cap") {
        return to_come;
    }
    let taps = seen.all("taps").of("passenger_id", pass.s("passenger_id")).of("way", "in");
    let taps = taps.having(|tap| from <= tap.day("at") && tap.day("at") <= to);
    let mut travelled: Vec<Date> = taps.iter().map(|tap| tap.day("at")).collect();
    travelled.sort_unstable();
    travelled.dedup();
    (pass.n("travel_days_cap") - i64::try_from(travelled.len()).unwrap()).clamp(0, to_come)
}

pub const POINTS: &[Count] = &[
    at_most(SUBSCRIPTIONS, "no open box has more points than its plan", |seen| {
        let open = seen.all("boxes").of("status", "open");
        open.each(|one| (points(seen, one), plan(seen, one.s("subscription_id")).n("points")))
    }),
    same(SUBSCRIPTIONS, "items are swapped one for one, extras are added by that alone", |seen| {
        let extra = i64::from(seen.call.tool == "add_extra");
        seen.changed("boxes", |was, now| {
            let len = |one: &Fields, list| i64::try_from(one.list(list).len()).unwrap();
            let items = len(now, "items") - len(was, "items");
            (100 * items + len(now, "extras") - len(was, "extras"), extra)
        })
    }),
    at_most(SUBSCRIPTIONS, "no more boxes are skipped in a quarter than the plan allows", |seen| {
        let skipped = seen.all("boxes").of("status", "skipped");
        skipped.each(|one| {
            let own = skipped.of("subscription_id", one.s("subscription_id"));
            let in_quarter = own.having(|other| quarter(other) == quarter(one)).count();
            (in_quarter, plan(seen, one.s("subscription_id")).n("skips_a_quarter"))
        })
    }),
    same(SUBSCRIPTIONS, "what is sent, skipped or dropped stays so, and no box comes or goes", |seen| {
        let back = ["sent", "skipped", "dropped"].map(|over| seen.left("boxes", "status", over).count());
        alone(back.iter().sum::<i64>() + seen.added("boxes").count() + seen.gone("boxes").count(), 0)
    }),
    at_most(SUBSCRIPTIONS, "the boxes left on a gift do not grow", |seen| {
        seen.changed("subscriptions", |was, now| (now.n("boxes_left"), was.n("boxes_left")))
    }),
    same(STAFF, "leave is eight hours for each working day", |seen| {
        seen.touched("absences").of("kind", "holiday").each(|one| {
            let working = working_days(one.day("first_day"), one.day("last_day")).len();
            (one.n("hours"), 8 * i64::try_from(working).unwrap())
        })
    }),
    at_most(STAFF, "no leave takes more hours of last year than were left", |seen| {
        seen.touched("absences").of("kind", "holiday").each(|one| {
            let person = one.s("person_id");
            (holiday(seen, person).sum("of_last_years_hours"), balance(seen, person).n("last_years_hours"))
        })
    }),
    at_most(STAFF, "leave that begins after 31 March takes none of last year's hours", |seen| {
        seen.touched("absences").having(is_live).each(|one| {
            let day = one.day("first_day");
            let is_late = day.year() > seen.today().year() || day.month() > 3;
            (one.n("of_last_years_hours"), if is_late { 0 } else { one.n("hours") })
        })
    }),
    at_most(STAFF, "no more hours are booked by a day than have grown by it", |seen| {
        seen.touched("absences").of("kind", "holiday").having(is_live).each(|one| {
            let (person, day) = (one.s("person_id"), one.day("first_day"));
            let by_then = holiday(seen, person).having(|other| other.day("first_day") <= day);
            let used = by_then.sum("hours") - by_then.sum("of_last_years_hours");
            (used, months(seen, day) * balance(seen, person).n("monthly_hours"))
        })
    }),
    same(STAFF.after("get_balance"), "what is told of a balance is what was left, has grown and is used", |seen| {
        let (got, person) = (seen.got.unwrap(), seen.asked().s("person_id"));
        let (balance, booked) = (balance(seen, person), holiday(seen, person));
        let left = balance.n("last_years_hours") - booked.sum("of_last_years_hours");
        let grown = months(seen, seen.today()) * balance.n("monthly_hours");
        let used = booked.sum("hours") - booked.sum("of_last_years_hours");
        let told = ["last_years_hours_left", "grown_hours", "used_hours", "free_hours"].map(|field| got.n(field));
        told.into_iter()
            .zip([left, grown, used, left + grown - used])
            .flat_map(|(told, counted)| alone(told, counted))
            .collect()
    }),
    at_most(STAFF, "no team falls below the number it needs by leave that is asked for", |seen| {
        let is_asked = matches!(seen.call.tool.as_str(), "request_leave" | "change_absence");
        seen.touched("absences").having(|_| is_asked).each(|one| {
            let team = seen.one("people", one.s("person_id")).s("team_id");
            let days = working_days(one.day("first_day"), one.day("last_day"));
            let thinnest = days.into_iter().map(|day| present(seen, team, day)).min().unwrap_or(i64::MAX);
            (seen.one("teams", team).n("min_present"), thinnest)
        })
    }),
    same(GUILD, "restores left and restores used are two together", |seen| {
        let used = seen.all("item_log").having(|entry| entry.field("restored") == true);
        seen.all("accounts").each(|account| {
            let of_account = |entry: &Fields| {
                seen.one("characters", entry.s("character_id")).is("account_id", account.s("account_id"))
            };
            (account.n("restores_left") + used.having(of_account).count(), 2)
        })
    }),
    at_most(GUILD, "what was within the limit of a day is not taken back", |seen| {
        seen.turned("vault_log", "status", "returned").each(|entry| {
            let member = seen.one("members", entry.s("member_id"));
            let limit = seen.one("guilds", entry.s("guild_id")).n(&format!("{}_limit", member.s("rank")));
            let taken = seen.all("vault_log").of("member_id", entry.s("member_id")).of("action", "withdrawn");
            let earlier = |other: &Fields| other.day("at") == entry.day("at") && other.s("at") < entry.s("at");
            (limit, taken.having(earlier).count())
        })
    }),
    at_most(GUILD, "a reward goes to a character of its level and account", |seen| {
        seen.turned("rewards", "status", "claimed").each(|reward| {
            let character = seen.one("characters", reward.s("character_id"));
            let is_own = character.is("account_id", reward.s("account_id"));
            (reward.n("min_level"), if is_own { character.n("level") } else { 0 })
        })
    }),
    same(CLINIC, "a late cancellation counts, an early one does not", |seen| {
        let cancelled = seen.turned("appointments", "status", "cancelled");
        let is_late = |one: &Fields| moment(seen.one("slots", one.s("slot_id")).s("start")) - seen.now() < 86_400;
        let late = cancelled.having(is_late);
        seen.all("patients").each(|patient| {
            let id = patient.s("patient_id");
            (seen.grown("patients", id, "late_cancellations"), late.of("patient_id", id).count())
        })
    }),
    at_most(CLINIC, "nobody books after three late cancellations", |seen| {
        seen.added("appointments").each(|one| (seen.one("patients", one.s("patient_id")).n("late_cancellations"), 2))
    }),
    at_most(CLINIC, "one renewal waits, where no refill is left", |seen| {
        let waiting = seen.all("renewals").of("status", "waiting");
        seen.added("renewals").each(|one| {
            let id = one.s("prescription_id");
            (waiting.of("prescription_id", id).count() + seen.one("prescriptions", id).n("refills_left"), 1)
        })
    }),
    same(NETWORK, "each start is a try, and there are two", |seen| {
        seen.changed("changes", |was, now| {
            let starts = i64::from(now.is("status", "running") && !was.is("status", "running"));
            (now.n("tries"), (was.n("tries") + starts).min(2))
        })
    }),
    same(TOURNAMENT, "a match that is confirmed serves one of a suspension, and nothing else does", |seen| {
        let confirmed = seen.turned("matches", "status", "confirmed");
        let plays = |team: &str| {
            confirmed.having(|game| game.is("home_team_id", team) || game.is("away_team_id", team)).count()
        };
        seen.earlier("players").each(|player| {
            let served = plays(player.s("team_id")).min(player.n("suspended_matches"));
            (seen.grown("players", player.s("player_id"), "suspended_matches"), -served)
        })
    }),
    same(TOURNAMENT, "a match is moved once, and a team withdraws once", |seen| {
        let twice = seen.changed("matches", |was, now| {
            let moves = was.s("slot_id") != now.s("slot_id");
            (i64::from(moves && was.field("moved") == true), 0)
        });
        twice.into_iter().chain(alone(seen.left("teams", "status", "withdrawn").count(), 0)).collect()
    }),
    same(MODERATION, "what is below something removed is not visible, and nothing else is hidden", |seen| {
        seen.all("posts").having(|post| post.has("parent_id")).each(|post| {
            let is_shown = seen.one("posts", post.s("parent_id")).is("status", "visible");
            (i64::from(post.is("status", if is_shown { "hidden" } else { "visible" })), 0)
        })
    }),
    same(MODERATION.after("uphold_report"), "as many replies are hidden as is told", |seen| {
        alone(seen.got.unwrap().n("hidden_below"), seen.turned("posts", "status", "hidden").count())
    }),
    same(MODERATION.after("restore_post"), "as many replies come back as is told", |seen| {
        let back = seen.turned("posts", "status", "visible");
        let itself = back.of("post_id", seen.asked().s("post_id")).count();
        alone(seen.got.unwrap().n("back_below"), back.count() - itself)
    }),
    same(MODERATION, "a post is removed by a report that is upheld", |seen| {
        seen.turned("posts", "status", "removed")
            .each(|post| (seen.turned("reports", "status", "upheld").of("post_id", post.s("post_id")).count(), 1))
    }),
    same(MODERATION, "what was decided stays decided", |seen| {
        let over = [("reports", "upheld"), ("reports", "dismissed"), ("appeals", "kept"), ("appeals", "lifted")];
        let undone = over.map(|(what, how)| seen.left(what, "status", how).count()).iter().sum::<i64>();
        alone(undone + seen.left("sanctions", "status", "lifted").count() + seen.gone("sanctions").count(), 0)
    }),
    same(MODERATION, "a sanction is lifted by its appeal", |seen| {
        let lifted = seen.turned("appeals", "status", "lifted");
        let of = |id: &str| lifted.of("sanction_id", id).count();
        let sanctions = seen.turned("sanctions", "status", "lifted");
        alone(sanctions.total(|one| of(one.s("sanction_id"))), lifted.count().max(sanctions.count()))
    }),
    at_most(MODERATION, "a sanction has one appeal, decided by another moderator", |seen| {
        let appeals = seen.all("appeals");
        seen.touched("appeals").each(|one| {
            let giver = seen.one("sanctions", one.s("sanction_id")).s("given_by");
            (appeals.of("sanction_id", one.s("sanction_id")).count(), i64::from(!one.is("decided_by", giver)))
        })
    }),
    at_most(MODERATION, "a post is sanctioned once, and whoever is banned is banned once", |seen| {
        let standing = seen.all("sanctions").of("status", "stands");
        seen.added("sanctions").each(|one| {
            let own = standing.of("member_id", one.s("member_id")).of("board_id", one.s("board_id"));
            let alike = match one.s("step") {
                "ban" => own.of("step", "ban"),
                _ => own.of("post_id", one.s("post_id")).having(|other| !other.is("step", "ban")),
            };
            (alike.count(), 1)
        })
    }),
    same(MODERATION, "a mute lasts as many days as the board says", |seen| {
        seen.added("sanctions").of("step", "mute").each(|one| {
            let long = days(one.day("given_on"), one.day("last_day"));
            (long, seen.one("boards", one.s("board_id")).n("mute_days"))
        })
    }),
    same(CATALOGUE, "a renewal counts, and a third is not had", |seen| {
        seen.changed("downloads", |was, now| (now.n("renewals"), (was.n("renewals") + 1).min(2)))
    }),
    at_most(CATALOGUE, "a download plays for 30 days at most, and no longer than its licence", |seen| {
        seen.touched("downloads").each(|one| {
            let household = seen.one("devices", one.s("device_id")).s("household_id");
            let country = seen.one("households", household).s("country");
            let licences = seen.all("licences").of("title_id", one.s("title_id")).of("country", country);
            let today = seen.today();
            let held = licences.having(|licence| licence.day("first_day") <= today);
            let last = held.iter().map(|licence| days(today, licence.day("last_day"))).max().unwrap_or(-1);
            (days(today, one.day("expires_on")), last.min(30))
        })
    }),
    at_most(BANK, "a payment is disputed once, within the window", |seen| {
        let disputes = seen.all("disputes");
        seen.added("disputes").each(|one| {
            let payment = seen.one("transactions", one.s("transaction_id"));
            let is_open =
                days(payment.day("booked_on"), seen.today()) <= seen.one("tariff", "").n("dispute_window_days");
            (disputes.of("transaction_id", one.s("transaction_id")).count(), i64::from(is_open))
        })
    }),
    same(BANK, "a dispute that is over stays over", |seen| {
        let over = ["won", "lost", "withdrawn"].map(|over| seen.left("disputes", "status", over).count());
        alone(over.iter().sum(), 0)
    }),
    same(PLATFORM, "one dependency is dropped at a time, and none is added", |seen| {
        let dropped = i64::from(seen.call.tool == "drop_dependency");
        seen.changed("services", |was, now| {
            let len = |one: &Fields| i64::try_from(one.list("depends_on").len()).unwrap();
            (len(was) - len(now), dropped)
        })
    }),
    same(TRANSIT, "a penalty is objected to once, while it is open", |seen| {
        let objected = seen.turned("penalties", "status", "objected");
        objected.each(|now| (i64::from(seen.was("penalties", now.s("penalty_id")).is("status", "open")), 1))
    }),
    same(
        TRANSIT.after("quote_refund"),
        "unused are the days after today, of a flex pass no more than its travel days that are left",
        |seen| alone(seen.got.unwrap().n("unused_days"), unused(seen, seen.one("passes", seen.asked().s("pass_id")))),
    ),
];

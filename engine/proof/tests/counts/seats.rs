//! Seats: what has room for so many, and who has taken it: places, times, rooms, streams and posts.

use probity_engine::Fields;
use serde_json::Value;

use super::count::{
    CATALOGUE, CLINIC, Count, FREIGHT, FRONT_DESK, GUILD, MARKETPLACE, NETWORK, PLATFORM, STAFF, SUBSCRIPTIONS,
    TOURNAMENT, TOURS, TRANSIT, at_most, same,
};
use super::points::is_live;
use super::seen::{Rows, Seen, Told, alone, days, moment};

fn yes(holds: bool) -> i64 {
    i64::from(holds)
}

/// People of live bookings on a departure.
fn aboard(seen: &Seen, departure: &str) -> i64 {
    let live = seen.all("bookings").of("departure_id", departure).having(|one| !one.is("status", "cancelled"));
    live.total(|booking| seen.all("members").of("booking_id", booking.s("booking_id")).count())
}

/// Kilograms on a leg.
fn load(seen: &Seen, leg: &str) -> i64 {
    let places = seen.all("places").of("leg_id", leg);
    places.total(|place| seen.one("consignments", place.s("consignment_id")).n("kg"))
}

/// The first night of a booking, and how many there are.
fn nights(booking: &Fields) -> (jiff::civil::Date, i64) {
    (booking.day("arrival"), booking.n("nights"))
}

fn overlap((one, long): (jiff::civil::Date, i64), (other, longer): (jiff::civil::Date, i64)) -> bool {
    days(one, other) < long && days(other, one) < longer
}

/// Booked appointments of a slot.
fn booked(appointments: &Rows, slot: &str) -> i64 {
    appointments.of("slot_id", slot).of("status", "booked").count()
}

fn kick_off(seen: &Seen, game: &Fields) -> i64 {
    moment(seen.one("slots", game.s("slot_id")).s("starts"))
}

/// Matches that are played, or will be.
fn played<'a>(seen: &Seen<'a>) -> Rows<'a> {
    seen.all("matches").having(|game| !game.is("status", "walkover"))
}

/// When a window begins and ends, in minutes.
fn window(one: &Fields) -> [i64; 2] {
    let begins = moment(&format!("{}T{}:00Z", one.s("day"), one.s("start_time"))) / 60;
    [begins, begins + one.n("minutes")]
}

/// Whether work on a link still stands in the calendar.
fn stands(change: &Fields) -> bool {
    matches!(change.s("status"), "waiting" | "approved" | "running")
}

pub const SEATS: &[Count] = &[
    at_most(TOURS, "no departure has more people than its maximum", |seen| {
        seen.all("departures").each(|one| (aboard(seen, one.s("departure_id")), one.n("max_party")))
    }),
    same(TOURS.after("list_departures"), "what is told to be left is what nobody has", |seen| {
        let told = seen.got.and_then(|got| got.as_array()).unwrap();
        let of_one = |one: &Value| {
            let departure = seen.one("departures", one.s("departure_id"));
            let left = departure.n("max_party") - aboard(seen, departure.s("departure_id"));
            alone(one.n("places_left"), left)
        };
        told.iter().flat_map(of_one).collect()
    }),
    same(TOURS, "a party grows by who is added", |seen| {
        let added = yes(seen.call.tool == "add_member" && seen.got.is_some());
        alone(seen.added("members").count() - seen.gone("members").count(), added)
    }),
    same(TOURS.after("register_party"), "a registration holds as many people as were named", |seen| {
        let named = seen.asked().list("people").len();
        seen.added("registrations")
            .each(|one| (one.list("people").len().try_into().unwrap(), named.try_into().unwrap()))
    }),
    same(MARKETPLACE.after("report_damage"), "a report holds as many items as were named", |seen| {
        let named = seen.asked().list("items").len();
        seen.added("reports").each(|one| (one.list("items").len().try_into().unwrap(), named.try_into().unwrap()))
    }),
    at_most(TOURS, "a guide leads once a day", |seen| {
        let led = seen.all("departures").having(|one| one.has("guide_id"));
        seen.touched("departures")
            .having(|one| one.has("guide_id"))
            .each(|one| (led.of("guide_id", one.s("guide_id")).of("day", one.s("day")).of("status", "open").count(), 1))
    }),
    at_most(FREIGHT, "no leg is overloaded", |seen| {
        seen.all("legs").each(|leg| (load(seen, leg.s("leg_id")), leg.n("capacity_kg")))
    }),
    same(FREIGHT.after("list_legs"), "what is told to be free is what is not aboard", |seen| {
        let told = seen.got.and_then(|got| got.as_array()).unwrap();
        let of_one = |one: &Value| {
            let leg = seen.one("legs", one.s("leg_id"));
            alone(one.n("free_kg"), leg.n("capacity_kg") - load(seen, leg.s("leg_id")))
        };
        told.iter().flat_map(of_one).collect()
    }),
    same(FREIGHT, "the legs of a route are numbered from one", |seen| {
        let places = seen.all("places");
        seen.all("consignments").each(|one| {
            let route = places.of("consignment_id", one.s("consignment_id"));
            let n = route.count();
            (route.total(|place| place.n("position").pow(2)), n * (n + 1) * (2 * n + 1) / 6)
        })
    }),
    same(FREIGHT, "a place is taken and given up by that alone", |seen| {
        let of = |tool| yes(seen.call.tool == tool && seen.got.is_some());
        let given_up =
            seen.gone("places").having(|place| seen.one("legs", place.s("leg_id")).is("status", "scheduled"));
        let given_up = if seen.has_fired { of("remove_leg") } else { given_up.count() };
        [alone(seen.added("places").count(), of("add_leg")), alone(given_up, of("remove_leg"))].concat()
    }),
    same(FREIGHT, "nothing rides on a cancelled leg, or dangerous where it may not", |seen| {
        seen.all("places").each(|place| {
            let leg = seen.one("legs", place.s("leg_id"));
            let goods = seen.one("consignments", place.s("consignment_id"));
            let may = !goods.is("class", "dangerous") || leg.field("dangerous_allowed") == true;
            (yes(leg.is("status", "scheduled") && may), 1)
        })
    }),
    at_most(FREIGHT, "one delivery is planned, after three at most that failed", |seen| {
        let deliveries = seen.all("deliveries");
        seen.added("deliveries").each(|one| {
            let of_goods = deliveries.of("consignment_id", one.s("consignment_id"));
            let failed =
                of_goods.having(|other| matches!(other.s("outcome"), "nobody_there" | "refused" | "we_came_late"));
            let planned = of_goods.of("outcome", "planned");
            (3 * planned.count().pow(2) + failed.count(), 5)
        })
    }),
    same(CLINIC, "a slot is taken by the appointment that has it, and free without", |seen| {
        let (now, was) = (seen.all("appointments"), seen.earlier("appointments"));
        seen.all("slots").each(|slot| {
            let id = slot.s("slot_id");
            let taken = |slot: &Fields| yes(slot.is("status", "taken"));
            (taken(slot) - taken(seen.was("slots", id)), booked(&now, id) - booked(&was, id))
        })
    }),
    at_most(CLINIC, "a slot has one appointment", |seen| {
        let appointments = seen.all("appointments");
        seen.all("slots").each(|slot| (booked(&appointments, slot.s("slot_id")), yes(slot.is("status", "taken"))))
    }),
    at_most(CLINIC, "nobody is in two places, or has two appointments with one clinician", |seen| {
        let slot = |one: &Fields| seen.one("slots", one.s("slot_id"));
        let time = |one: &Fields| {
            let start = moment(slot(one).s("start"));
            (start, start + 60 * slot(one).n("minutes"))
        };
        let meets = |one: &Fields, other: &Fields| time(one).0 < time(other).1 && time(other).0 < time(one).1;
        let of_whom = |one: &Fields| slot(one).s("clinician_id");
        let all = seen.all("appointments").of("status", "booked");
        seen.added("appointments").each(|one| {
            let own = all.of("patient_id", one.s("patient_id"));
            let clash = own.having(|other| meets(one, other) || of_whom(one) == of_whom(other));
            (clash.count(), 1)
        })
    }),
    at_most(TRANSIT, "a vehicle has one ride and is taken", |seen| {
        let booked = seen.all("rides").of("status", "booked");
        seen.all("slots")
            .each(|slot| (booked.of("slot_id", slot.s("slot_id")).count(), yes(slot.is("status", "taken"))))
    }),
    same(TRANSIT, "rides are booked and cancelled one by one", |seen| {
        let of = |tool| yes(seen.call.tool == tool && seen.got.is_some());
        let [new, cancelled] =
            [seen.added("rides"), seen.turned("rides", "status", "cancelled")].map(|rows| rows.count());
        [alone(new, of("book_ride")), alone(cancelled, of("cancel_ride"))].concat()
    }),
    same(TRANSIT, "a wheelchair rides with a ramp, and nobody without an aid", |seen| {
        seen.added("rides").each(|ride| {
            let needs = seen.one("passengers", ride.s("passenger_id")).s("mobility");
            let has_ramp = seen.one("slots", ride.s("slot_id")).field("ramp") == true;
            (yes(needs == "walking_aid" || needs == "wheelchair" && has_ramp), 1)
        })
    }),
    at_most(TOURNAMENT, "a pitch has one match at a time", |seen| {
        let place = |game: &Fields| {
            let slot = seen.one("slots", game.s("slot_id"));
            (slot.s("pitch_id").to_owned(), slot.s("starts").to_owned())
        };
        let played = played(seen);
        seen.touched("matches")
            .having(|game| !game.is("status", "walkover"))
            .each(|game| (played.having(|other| place(other) == place(game)).count(), 1))
    }),
    at_most(TOURNAMENT, "a referee is in one place", |seen| {
        let played = played(seen);
        played.each(|game| {
            let starts = kick_off(seen, game);
            let near = played.of("referee_id", game.s("referee_id"));
            (near.having(|other| (kick_off(seen, other) - starts).abs() < 7200).count(), 1)
        })
    }),
    same(TOURNAMENT, "whoever goes on takes one place of the next round", |seen| {
        let places =
            |matches: &Rows| matches.total(|game| yes(game.has("home_team_id")) + yes(game.has("away_team_id")));
        let ended = |matches: &Rows| {
            let over = |game: &Fields| game.is("status", "confirmed") || game.is("status", "walkover");
            matches.having(|game| over(game) && !game.is("round", "final")).count()
        };
        let (now, was) = (seen.all("matches"), seen.earlier("matches"));
        alone(places(&now) - places(&was), ended(&now) - ended(&was))
    }),
    same(TOURNAMENT, "a match is won by one of its teams, by more goals or by a walkover", |seen| {
        let won =
            seen.touched("matches").having(|game| game.is("status", "confirmed") || game.is("status", "walkover"));
        won.each(|game| {
            let [home, away] = ["home_team_id", "away_team_id"].map(|side| game.is(side, game.s("winner_team_id")));
            let lead = game.n("home_goals") - game.n("away_goals");
            let is_earned = game.is("status", "walkover") || home && lead > 0 || away && lead < 0;
            (yes(home != away && is_earned), 1)
        })
    }),
    at_most(TOURNAMENT, "a player is entered once for a match, for their own team", |seen| {
        let entries = seen.all("entries");
        seen.added("entries").each(|entry| {
            let (player, game) = (seen.one("players", entry.s("player_id")), seen.one("matches", entry.s("match_id")));
            let team = player.s("team_id");
            let is_theirs = game.is("home_team_id", team) || game.is("away_team_id", team);
            let same = entries.of("match_id", entry.s("match_id")).of("player_id", entry.s("player_id"));
            (same.count(), yes(is_theirs))
        })
    }),
    at_most(FRONT_DESK, "a room has one booking a night", |seen| {
        let confirmed = seen.all("bookings").of("status", "confirmed");
        confirmed.each(|one| {
            let same_room = confirmed.of("room_id", one.s("room_id"));
            (same_room.having(|other| overlap(nights(one), nights(other))).count(), 1)
        })
    }),
    same(FRONT_DESK, "a stay grows by the nights that were asked for", |seen| {
        let (asked, extends) = (seen.asked(), seen.call.tool == "extend_stay" && seen.got.is_some());
        seen.all("bookings").each(|one| {
            let is_it = extends && asked.is("booking_id", one.s("booking_id"));
            let nights = if is_it { asked.n("extra_nights") } else { 0 };
            (seen.grown("bookings", one.s("booking_id"), "nights"), nights)
        })
    }),
    same(FRONT_DESK.after("find_free_rooms"), "what is told to be free is every room that nobody has", |seen| {
        let wanted = (seen.asked().day("arrival"), seen.asked().n("nights"));
        let confirmed = seen.all("bookings").of("status", "confirmed");
        let told = seen.got.and_then(|got| got.as_array()).unwrap();
        let is_asked = |room: &Fields| {
            ["kind", "view"].into_iter().all(|field| !seen.asked().has(field) || seen.asked().is(field, room.s(field)))
        };
        seen.all("rooms").having(is_asked).each(|room| {
            let id = room.s("room_id");
            let taken = confirmed.of("room_id", id).having(|one| overlap(nights(one), wanted)).count();
            let is_free = taken == 0 && room.field("in_service") == true;
            (yes(told.iter().any(|one| one.is("room_id", id))), yes(is_free))
        })
    }),
    at_most(CATALOGUE, "no household plays more than its plan has streams, no device more than one", |seen| {
        let playing = seen.all("streams").of("status", "playing");
        let household = |stream: &Fields| seen.one("devices", stream.s("device_id")).s("household_id");
        let of_plan = seen.all("households").each(|one| {
            let id = one.s("household_id");
            let streams = playing.having(|stream| household(stream) == id).count();
            (streams, seen.one("plans", one.s("plan_id")).n("streams"))
        });
        let of_device = playing.each(|stream| (playing.of("device_id", stream.s("device_id")).count(), 1));
        of_plan.into_iter().chain(of_device).collect()
    }),
    at_most(CATALOGUE, "no more devices are signed in than the plan to come holds", |seen| {
        let devices = seen.all("devices");
        seen.touched("households").each(|one| {
            let plan = seen.one("plans", one.s("next_plan_id"));
            (devices.of("household_id", one.s("household_id")).count(), plan.n("max_devices"))
        })
    }),
    same(PLATFORM, "what goes out takes the place of what is live", |seen| {
        let (live, new) = (seen.all("deployments").of("status", "live"), seen.added("deployments"));
        let was = seen.earlier("deployments").of("status", "live");
        let ended = seen.left("deployments", "status", "live");
        seen.all("services").each(|service| {
            let id = service.s("service_id");
            let of = |rows: &Rows| rows.of("service_id", id).count();
            // One for one: what is live counts once, what ends is what was live and makes room.
            let is_out = of(&new) == 0 && of(&live) == of(&was) && of(&ended) == 0;
            let is_in = of(&new) == 1 && of(&live) == 1 && of(&ended) == of(&was);
            (yes(is_out || is_in), 1)
        })
    }),
    same(PLATFORM, "one call brings one deployment", |seen| {
        let made = seen.got.is_some() && matches!(seen.call.tool.as_str(), "deploy_release" | "roll_back");
        alone(seen.added("deployments").count(), yes(made))
    }),
    same(PLATFORM, "windows of one service do not overlap", |seen| {
        let planned = seen.all("windows").of("status", "planned");
        seen.added("windows").each(|one| {
            let [begins, ends] = window(one);
            let meets = |other: &Fields| {
                let [starts, stops] = window(other);
                begins < stops && starts < ends
            };
            (planned.of("service_id", one.s("service_id")).having(meets).count(), 1)
        })
    }),
    same(PLATFORM, "nothing hangs on what is retired", |seen| {
        seen.turned("services", "status", "retired").each(|service| {
            let id = service.s("service_id");
            let hanging = seen.all("services").of("status", "active").having(|one| one.lists("depends_on", id));
            let planned = seen.all("windows").of("status", "planned").of("service_id", id);
            (hanging.count() + planned.count(), 0)
        })
    }),
    same(PLATFORM, "what is retired, closed or cancelled stays so", |seen| {
        let back = [("services", "retired"), ("incidents", "closed"), ("windows", "cancelled")];
        alone(back.map(|(what, over)| seen.left(what, "status", over).count()).iter().sum(), 0)
    }),
    same(NETWORK, "rules stand at one, two, three and so on", |seen| {
        let rules = seen.all("rules");
        seen.all("networks").each(|network| {
            let of_network = rules.of("network_id", network.s("network_id"));
            let n = of_network.count();
            (of_network.total(|rule| rule.n("position").pow(2)), n * (n + 1) * (2 * n + 1) / 6)
        })
    }),
    same(NETWORK, "a new rule moves down what stood there and below, and nothing else", |seen| {
        let new = seen.added("rules");
        seen.earlier("rules").each(|rule| {
            let above =
                new.of("network_id", rule.s("network_id")).having(|one| one.n("position") <= rule.n("position"));
            (seen.grown("rules", rule.s("rule_id"), "position"), above.count())
        })
    }),
    same(NETWORK, "a link is in work while work on it runs", |seen| {
        let running = seen.all("changes").of("status", "running");
        seen.all("links")
            .each(|link| (running.of("link_id", link.s("link_id")).count(), yes(link.is("status", "in_work"))))
    }),
    at_most(NETWORK, "a building has one window a day", |seen| {
        let standing = seen.all("changes").having(stands);
        seen.added("changes").each(|one| (standing.of("site_id", one.s("site_id")).of("day", one.s("day")).count(), 1))
    }),
    same(STAFF, "a held position has one holder, and no other has one", |seen| {
        let people = seen.all("people");
        seen.all("positions")
            .each(|one| (people.of("position_id", one.s("position_id")).count(), yes(one.is("status", "held"))))
    }),
    at_most(STAFF, "nobody is away twice on one day", |seen| {
        let live = seen.all("absences").having(is_live);
        live.each(|one| {
            let own = live.of("person_id", one.s("person_id"));
            let meets =
                |other: &Fields| one.s("first_day") <= other.s("last_day") && other.s("first_day") <= one.s("last_day");
            (own.having(meets).count(), 1)
        })
    }),
    same(STAFF, "nobody comes or goes by a call", |seen| {
        alone(seen.added("people").count() + seen.gone("people").count(), 0)
    }),
    same(GUILD, "a guild has one leader, and as many officers as before", |seen| {
        let ranked = |members: Rows, guild: &str, rank| members.of("guild_id", guild).of("rank", rank).count();
        seen.all("guilds").each(|guild| {
            let id = guild.s("guild_id");
            let leaders = ranked(seen.all("members"), id, "leader");
            let [now, was] = [seen.all("members"), seen.earlier("members")].map(|all| ranked(all, id, "officer"));
            (100 * leaders + now, 100 + was)
        })
    }),
    at_most(SUBSCRIPTIONS, "a subscription sends one box a day", |seen| {
        let open = seen.all("boxes").of("status", "open");
        open.each(|one| {
            let same_day = open.of("subscription_id", one.s("subscription_id")).of("dispatch_on", one.s("dispatch_on"));
            (same_day.count(), 1)
        })
    }),
];

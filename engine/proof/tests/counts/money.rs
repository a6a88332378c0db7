//! Money: what is charged, paid, given back and held.

use probity_engine::Fields;
use serde_json::Value;

use super::count::{
    BANK, BROKERAGE, CATALOGUE, Count, FREIGHT, FRONT_DESK, GUILD, MARKETPLACE, STAFF, SUBSCRIPTIONS, TOURNAMENT,
    TOURS, TRANSIT, at_most, same,
};
use super::seen::{Rows, Seen, Told, alone, days};

/// What a booked line adds to its account.
fn booked(line: &Fields) -> i64 {
    if line.is("direction", "in") { line.n("amount_cents") } else { -line.n("amount_cents") }
}

fn gross(order: &Fields) -> i64 {
    order.n("price_cents") * order.n("quantity")
}

/// What an order that was carried out adds to the cash.
fn brought(order: &Fields) -> i64 {
    let sign = if order.is("side", "sell") { 1 } else { -1 };
    sign * gross(order) - order.n("commission_cents")
}

fn reserved(seen: &Seen, portfolio: &str) -> i64 {
    let orders = seen.all("orders").of("portfolio_id", portfolio);
    orders.having(|order| order.s("status").starts_with("waiting")).sum("reserved_cents")
}

/// What sales brought that has not settled yet.
fn unsettled(seen: &Seen, portfolio: &str) -> i64 {
    let sold = seen.all("orders").of("portfolio_id", portfolio).of("side", "sell").of("status", "carried_out");
    sold.having(|order| order.day("settles_on") > seen.today()).total(brought)
}

/// How many instruments a portfolio holds.
fn positions(lots: &Rows, portfolio: &str) -> i64 {
    let held = lots.of("portfolio_id", portfolio).having(|lot| lot.n("pieces") > 0);
    let mut symbols: Vec<&str> = held.iter().map(|lot| lot.s("symbol")).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols.len().try_into().unwrap()
}

/// What a tour costs the party of a booking.
fn price(seen: &Seen, booking: &Fields) -> i64 {
    let tour = seen.one("departures", booking.s("departure_id")).s("tour_id");
    let party = seen.earlier("members").of("booking_id", booking.s("booking_id")).count();
    party * seen.one("tours", tour).n("price_cents")
}

fn entered(entries: &Rows, booking: &str, what_for: &[&str]) -> i64 {
    entries.of("booking_id", booking).having(|entry| what_for.contains(&entry.s("what_for"))).sum("amount_cents")
}

/// What is open on a booking before a call.
fn open(seen: &Seen, booking: &Fields) -> i64 {
    let of = |what_for| entered(&seen.earlier("entries"), booking.s("booking_id"), what_for);
    price(seen, booking) + of(&["move_fee"]) - of(&["deposit", "voucher"])
}

/// Days from today to the departure of a booking, as it was before a call.
fn days_to_tour(seen: &Seen, booking: &Fields) -> i64 {
    days(seen.today(), seen.one("departures", booking.s("departure_id")).day("day"))
}

fn is_called_off(seen: &Seen, booking: &Fields) -> bool {
    seen.one("departures", booking.s("departure_id")).is("status", "called_off")
}

/// Hundredths of the price that a cancellation costs.
fn share(seen: &Seen, booking: &Fields) -> i64 {
    match days_to_tour(seen, booking) {
        _ if is_called_off(seen, booking) => 0,
        30.. => 10,
        14..=29 => 30,
        7..=13 => 60,
        _ => 100,
    }
}

/// Days from today to a match, as it was before a call.
fn days_to_match(seen: &Seen, game: &Fields) -> i64 {
    days(seen.today(), seen.one("slots", game.s("slot_id")).day("starts"))
}

pub const MONEY: &[Count] = &[
    same(BANK, "a balance moves by what is booked on its account", |seen| {
        let new = seen.added("transactions");
        seen.all("accounts").each(|account| {
            let id = account.s("account_id");
            (seen.grown("accounts", id, "balance_cents"), new.of("account_id", id).total(booked))
        })
    }),
    same(BANK, "what moves between own accounts adds up to nothing", |seen| {
        alone(seen.added("transactions").of("kind", "internal").total(booked), 0)
    }),
    same(BANK, "a booked line stays", |seen| seen.tampered("transactions")),
    same(BANK.after("transfer"), "as much is sent as was asked for", |seen| {
        alone(seen.added("transactions").of("kind", "transfer").sum("amount_cents"), seen.asked().n("amount_cents"))
    }),
    at_most(BANK, "payees are sent no more in a day than the account's limit", |seen| {
        let today = seen.today();
        let sent = seen.all("transactions").of("kind", "transfer").of("direction", "out");
        let sent = sent.having(|line| line.day("booked_on") == today);
        seen.added("transactions").of("kind", "transfer").each(|line| {
            let account = line.s("account_id");
            let limit = seen.was("accounts", account).n("daily_limit_cents");
            (sent.of("account_id", account).sum("amount_cents"), limit)
        })
    }),
    at_most(BANK, "an account is overdrawn by payments to payees alone, within its overdraft", |seen| {
        seen.added("transactions").of("direction", "out").each(|line| {
            let account = seen.one("accounts", line.s("account_id"));
            let overdraft = if line.is("kind", "transfer") { account.n("overdraft_cents") } else { 0 };
            (-account.n("balance_cents"), overdraft)
        })
    }),
    same(BANK.after("refund_fee"), "goodwill gives back one fee, once within its gap", |seen| {
        let (gap, today) = (seen.one("tariff", "").n("goodwill_gap_days"), seen.today());
        let fee = seen.one("transactions", seen.asked().s("transaction_id"));
        let given = seen.all("transactions").of("account_id", fee.s("account_id")).of("kind", "goodwill");
        let recent = given.having(|line| days(line.day("booked_on"), today) < gap);
        alone(recent.sum("amount_cents"), fee.n("amount_cents"))
    }),
    same(BANK.after("get_limits"), "what is told of a limit is what was sent and is left", |seen| {
        let (got, today) = (seen.got.unwrap(), seen.today());
        let of = seen.all("transactions").of("account_id", seen.asked().s("account_id")).of("kind", "transfer");
        let sent = of.of("direction", "out").having(|line| line.day("booked_on") == today).sum("amount_cents");
        let left = (got.n("daily_limit_cents") - sent).max(0);
        [alone(got.n("sent_today_cents"), sent), alone(got.n("left_today_cents"), left)].concat()
    }),
    same(BROKERAGE, "cash moves by orders that are carried out and by payments", |seen| {
        let (done, paid) = (seen.turned("orders", "status", "carried_out"), seen.added("payments"));
        seen.all("portfolios").each(|portfolio| {
            let id = portfolio.s("portfolio_id");
            let counted = done.of("portfolio_id", id).total(brought) - paid.of("portfolio_id", id).sum("amount_cents");
            (seen.grown("portfolios", id, "cash_cents"), counted)
        })
    }),
    same(BROKERAGE, "an order comes to its price with the commission", |seen| {
        seen.turned("orders", "status", "carried_out").each(|order| (order.n("total_cents"), brought(order).abs()))
    }),
    at_most(BROKERAGE, "the commission is the share or the least, to the cent", |seen| {
        let tariff = seen.one("tariff", "");
        seen.turned("orders", "status", "carried_out").each(|order| {
            let share = gross(order) * tariff.n("commission_hundredths_of_percent") / 10_000;
            ((order.n("commission_cents") - share.max(tariff.n("commission_least_cents"))).abs(), 1)
        })
    }),
    same(BROKERAGE, "no order is carried out at a price beyond its limit", |seen| {
        let done = seen.turned("orders", "status", "carried_out").having(|order| order.has("limit_cents"));
        done.each(|order| {
            let better = order.n("limit_cents") - order.n("price_cents");
            (0, if order.is("side", "buy") { better.min(0) } else { (-better).min(0) })
        })
    }),
    at_most(BROKERAGE, "the cash covers what is reserved", |seen| {
        seen.all("portfolios").each(|one| (reserved(seen, one.s("portfolio_id")), one.n("cash_cents")))
    }),
    at_most(BROKERAGE.after("withdraw_cash"), "what has not settled is not paid out", |seen| {
        let id = seen.asked().s("portfolio_id");
        alone(unsettled(seen, id), seen.one("portfolios", id).n("cash_cents"))
    }),
    same(BROKERAGE.after("transfer_out"), "a transfer costs so much for each position and sends the rest", |seen| {
        let id = seen.asked().s("portfolio_id");
        let fee = positions(&seen.earlier("lots"), id) * seen.one("tariff", "").n("transfer_per_position_cents");
        let rest = seen.was("portfolios", id).n("cash_cents") - fee;
        let of = |kind| seen.added("payments").of("kind", kind).sum("amount_cents");
        [alone(of("transfer_fee"), fee), alone(of("cash_transferred"), rest)].concat()
    }),
    same(BROKERAGE, "a payment stays", |seen| seen.tampered("payments")),
    same(
        BROKERAGE.after("list_portfolios"),
        "what is told of a portfolio is what is reserved, settles and can be had",
        |seen| {
            let told = seen.got.and_then(|got| got.as_array()).unwrap();
            let of_one = |one: &Value| {
                let (id, cash) = (one.s("portfolio_id"), one.n("cash_cents"));
                let (reserved, unsettled) = (reserved(seen, id), unsettled(seen, id));
                let fee = positions(&seen.all("lots"), id) * seen.one("tariff", "").n("transfer_per_position_cents");
                [
                    alone(cash, seen.one("portfolios", id).n("cash_cents")),
                    alone(one.n("reserved_cents"), reserved),
                    alone(one.n("not_settled_cents"), unsettled),
                    alone(one.n("withdrawable_cents"), (cash - reserved - unsettled).max(0)),
                    alone(one.n("transfer_fee_cents"), fee),
                ]
            };
            told.iter().flat_map(of_one).flatten().collect()
        },
    ),
    same(MARKETPLACE, "an order was paid for what is in its parcels", |seen| {
        let (parcels, lines) = (seen.all("parcels"), seen.all("lines"));
        seen.all("orders").each(|order| {
            let of_order = parcels.of("order_id", order.s("order_id"));
            let cost = of_order.total(|parcel| lines.of("parcel_id", parcel.s("parcel_id")).sum("price_cents"));
            (order.n("paid_voucher_cents") + order.n("paid_card_cents"), cost)
        })
    }),
    at_most(MARKETPLACE, "no item is paid back beyond its price", |seen| {
        let refunds = seen.all("refunds");
        seen.all("lines")
            .each(|line| (refunds.of("line_id", line.s("line_id")).sum("amount_cents"), line.n("price_cents")))
    }),
    same(MARKETPLACE, "a cancelled parcel is paid back whole", |seen| {
        let refunds = seen.all("refunds");
        let cancelled = seen.turned("parcels", "state", "cancelled");
        cancelled.each(|parcel| {
            let lines = seen.all("lines").of("parcel_id", parcel.s("parcel_id"));
            let back = lines.total(|line| refunds.of("line_id", line.s("line_id")).sum("amount_cents"));
            (back, lines.sum("price_cents"))
        })
    }),
    same(MARKETPLACE, "a return is paid back less what was given before and its label", |seen| {
        let given = seen.earlier("refunds");
        seen.turned("returns", "state", "refunded").each(|one| {
            let id = one.s("line_id");
            let back = seen.added("refunds").of("line_id", id).sum("amount_cents");
            let left = seen.one("lines", id).n("price_cents") - given.of("line_id", id).sum("amount_cents");
            (back, (left - one.n("label_cents")).max(0))
        })
    }),
    same(MARKETPLACE, "money goes back for what was cancelled, came back or was asked for", |seen| {
        let of = |reason| seen.added("refunds").of("reason", reason).count();
        let cancelled = seen.turned("parcels", "state", "cancelled");
        let lines = cancelled.total(|parcel| seen.all("lines").of("parcel_id", parcel.s("parcel_id")).count());
        [
            alone(of("returned"), seen.turned("returns", "state", "refunded").count()),
            alone(of("cancelled").max(lines), lines),
            alone(of("price_drop"), i64::from(seen.call.tool == "adjust_price" && seen.got.is_some())),
        ]
        .concat()
    }),
    same(MARKETPLACE, "a refund stays", |seen| seen.tampered("refunds")),
    same(MARKETPLACE.after("get_payments"), "what is told of payments is what went back, to vouchers first", |seen| {
        let got = seen.got.unwrap();
        let order = seen.one("orders", seen.asked().s("order_id"));
        let back = seen.all("refunds").of("order_id", order.s("order_id")).sum("amount_cents");
        let vouchers = back.min(order.n("paid_voucher_cents"));
        [
            alone(got.n("refunded_cents"), back),
            alone(got.n("back_to_vouchers_cents"), vouchers),
            alone(got.n("back_to_card_cents"), back - vouchers),
        ]
        .concat()
    }),
    same(SUBSCRIPTIONS, "credit falls by what extras took of it", |seen| {
        let paid = seen.added("payments");
        seen.all("subscribers").each(|subscriber| {
            let id = subscriber.s("subscriber_id");
            let taken = paid.having(|payment| {
                let subscription = seen.one("boxes", payment.s("box_id")).s("subscription_id");
                seen.one("subscriptions", subscription).is("subscriber_id", id)
            });
            (seen.grown("subscribers", id, "credit_cents"), -taken.sum("credit_cents"))
        })
    }),
    same(SUBSCRIPTIONS, "an extra costs what its item costs", |seen| {
        seen.added("payments").each(|one| {
            (one.n("credit_cents") + one.n("card_cents"), seen.one("items", one.s("item_id")).n("price_cents"))
        })
    }),
    same(SUBSCRIPTIONS, "the card pays only when no credit is left", |seen| {
        seen.added("payments").having(|one| one.n("card_cents") > 0).each(|one| {
            let subscription = seen.one("boxes", one.s("box_id")).s("subscription_id");
            let subscriber = seen.one("subscriptions", subscription).s("subscriber_id");
            (seen.one("subscribers", subscriber).n("credit_cents"), 0)
        })
    }),
    same(SUBSCRIPTIONS, "an extra is paid once", |seen| {
        let paid = seen.all("payments");
        seen.all("boxes")
            .each(|one| (one.list("extras").len().try_into().unwrap(), paid.of("box_id", one.s("box_id")).count()))
    }),
    same(SUBSCRIPTIONS, "a payment stays", |seen| seen.tampered("payments")),
    at_most(CATALOGUE.after("upgrade_today"), "a dearer plan costs no more than the difference", |seen| {
        let household = seen.asked().s("household_id");
        let price = |plan: &str| seen.one("plans", plan).n("price_cents");
        let [was, now] = [seen.was("households", household), seen.one("households", household)];
        let difference = price(now.s("plan_id")) - price(was.s("plan_id"));
        seen.added("charges").each(|charge| (charge.n("amount_cents"), difference))
    }),
    same(CATALOGUE, "nothing but a dearer plan is charged, at the amount that was agreed", |seen| {
        let agreed = if seen.call.tool == "upgrade_today" { seen.asked().n("amount_cents") } else { 0 };
        alone(seen.added("charges").sum("amount_cents"), if seen.got.is_some() { agreed } else { 0 })
    }),
    same(CATALOGUE, "a charge stays", |seen| seen.tampered("charges")),
    same(CATALOGUE.after("get_bill"), "a bill is the plan to come and the open charges", |seen| {
        let got = seen.got.unwrap();
        let household = seen.one("households", seen.asked().s("household_id"));
        let open = seen.all("charges").of("household_id", household.s("household_id")).of("status", "open");
        let plan = seen.one("plans", household.s("next_plan_id")).n("price_cents");
        alone(got.n("total_cents"), plan + open.sum("amount_cents"))
    }),
    same(FREIGHT, "a fee is posted as agreed", |seen| {
        let agreed = match seen.call.tool.as_str() {
            _ if seen.got.is_none() => 0,
            "remove_leg" | "book_redelivery" => seen.asked().n("fee_cents"),
            "send_back" => seen.got.unwrap().n("fee_cents"),
            _ => 0,
        };
        alone(seen.added("fees").sum("amount_cents"), agreed)
    }),
    same(FREIGHT, "a fee stays", |seen| seen.tampered("fees")),
    same(FRONT_DESK, "a fee is posted as it was asked for, and by nothing else", |seen| {
        let asked = if seen.call.tool == "charge_fee" { seen.asked().n("amount_cents") } else { 0 };
        alone(seen.added("charges").sum("amount_cents"), asked)
    }),
    same(FRONT_DESK, "a charge stays", |seen| seen.tampered("charges")),
    at_most(FRONT_DESK, "a booking bears each late fee once", |seen| {
        let late = seen.all("charges").having(|charge| !charge.is("reason", "extra_service"));
        late.each(|charge| (late.of("booking_id", charge.s("booking_id")).of("reason", charge.s("reason")).count(), 1))
    }),
    same(FRONT_DESK.after("get_bill"), "a bill is the nights of a booking that stands and what was charged", |seen| {
        let booking = seen.one("bookings", seen.asked().s("booking_id"));
        let charged = seen.all("charges").of("booking_id", booking.s("booking_id")).sum("amount_cents");
        let is_kept = i64::from(booking.is("status", "confirmed"));
        let nights = is_kept * booking.n("nights") * seen.one("rooms", booking.s("room_id")).n("nightly_cents");
        alone(seen.got.unwrap().n("total_cents"), nights + charged)
    }),
    at_most(GUILD, "gold is taken back at the shop's price and given back less a tenth", |seen| {
        let restored = seen.became("item_log", |entry| entry.field("restored") == true);
        let reversed = seen.turned("trades", "status", "reversed");
        seen.all("characters").each(|one| {
            let id = one.s("character_id");
            let back = 9 * reversed.of("buyer_id", id).sum("price_gold");
            let taken = 10 * restored.of("character_id", id).sum("price_gold");
            // A tenth of a price that ten does not divide is rounded.
            ((10 * seen.grown("characters", id, "gold") - (back - taken)).abs(), if back > 0 { 9 } else { 0 })
        })
    }),
    same(GUILD, "an account is billed what a new name costs, and nothing else", |seen| {
        let asked = seen.asked();
        let renamed = (seen.call.tool == "rename_character" && seen.got.is_some())
            .then(|| seen.one("characters", asked.s("character_id")).s("account_id"));
        seen.all("accounts").each(|account| {
            let id = account.s("account_id");
            let fee = if renamed == Some(id) { asked.n("fee_cents") } else { 0 };
            (seen.grown("accounts", id, "billed_cents"), fee)
        })
    }),
    same(STAFF.after("transfer_person"), "who is transferred is paid as the new position is", |seen| {
        let position = seen.one("people", seen.asked().s("person_id")).s("position_id");
        alone(seen.got.unwrap().n("monthly_pay_cents"), seen.one("positions", position).n("monthly_pay_cents"))
    }),
    same(TOURNAMENT.after("move_match"), "moving a match costs 35 EUR within three days, and nothing before", |seen| {
        let days = days_to_match(seen, seen.was("matches", seen.asked().s("match_id")));
        alone(seen.added("fees").of("reason", "moved_match").sum("amount_cents"), if days <= 3 { 3500 } else { 0 })
    }),
    same(TOURNAMENT, "a protest costs 60 EUR", |seen| {
        alone(seen.added("fees").of("reason", "protest").sum("amount_cents"), 6000 * seen.added("protests").count())
    }),
    same(
        TOURNAMENT.after("withdraw_team"),
        "withdrawing costs 120 EUR within seven days of the next match, and 50 EUR before",
        |seen| {
            let team = seen.asked().s("team_id");
            let plays = |game: &Fields| game.is("home_team_id", team) || game.is("away_team_id", team);
            let waits = |game: &Fields| game.is("status", "scheduled") || game.is("status", "waiting");
            let to_come = seen.earlier("matches").having(|game| plays(game) && waits(game));
            let days = to_come.iter().map(|game| days_to_match(seen, game)).min().unwrap();
            let fee = if days <= 7 { 12_000 } else { 5000 };
            alone(seen.added("fees").of("reason", "withdrawal").sum("amount_cents"), fee)
        },
    ),
    at_most(TOURNAMENT, "one call charges one fee, to the team that asks", |seen| {
        let of_team = seen.added("fees").of("team_id", seen.asked().s("team_id")).count();
        alone(seen.added("fees").count(), of_team.min(1))
    }),
    same(TOURNAMENT, "a fee stays", |seen| seen.tampered("fees")),
    same(TOURNAMENT.after("get_account"), "what a team owes is what it was charged", |seen| {
        let charged = seen.all("fees").of("team_id", seen.asked().s("team_id"));
        alone(seen.got.unwrap().n("total_cents"), charged.sum("amount_cents"))
    }),
    same(
        TOURS.after("move_booking"),
        "moving costs 12 EUR for each person within 14 days, and nothing before",
        |seen| {
            let booking = seen.was("bookings", seen.asked().s("booking_id"));
            let party = seen.earlier("members").of("booking_id", booking.s("booking_id")).count();
            let costs = days_to_tour(seen, booking) < 14 && !is_called_off(seen, booking);
            alone(seen.added("entries").sum("amount_cents"), if costs { 1200 * party } else { 0 })
        },
    ),
    at_most(TOURS.after("cancel_booking"), "cancelling costs its share of the price", |seen| {
        let booking = seen.was("bookings", seen.asked().s("booking_id"));
        let fee = seen.added("entries").of("what_for", "cancellation_fee").sum("amount_cents");
        alone((100 * fee - share(seen, booking) * price(seen, booking)).abs(), 99)
    }),
    same(TOURS.after("cancel_booking"), "what was paid beyond the fees goes back", |seen| {
        let booking = seen.asked().s("booking_id");
        let entries = seen.all("entries");
        let paid = entered(&entries, booking, &["deposit", "voucher"]);
        let fees = entered(&entries, booking, &["move_fee", "cancellation_fee"]);
        alone(entered(&entries, booking, &["refund"]), (paid - fees).max(0))
    }),
    same(TOURS.after("redeem_voucher"), "a voucher is worth what it says, up to what is open", |seen| {
        let booking = seen.was("bookings", seen.asked().s("booking_id"));
        let voucher = seen.one("vouchers", seen.asked().s("voucher_id"));
        let taken = seen.added("entries").of("what_for", "voucher").sum("amount_cents");
        alone(taken, voucher.n("value_cents").min(open(seen, booking)))
    }),
    same(TOURS, "a voucher is used up by one entry", |seen| {
        let used = seen.turned("vouchers", "status", "used").count();
        alone(used, seen.added("entries").of("what_for", "voucher").count())
    }),
    same(TOURS, "a deposit confirms one booking, at the amount that was agreed", |seen| {
        let taken = seen.added("entries").of("what_for", "deposit");
        let asked = if taken.count() > 0 { seen.asked().n("amount_cents") } else { 0 };
        let confirmed = seen.turned("bookings", "status", "confirmed").count();
        [alone(taken.count(), confirmed), alone(taken.sum("amount_cents"), asked)].concat()
    }),
    same(TOURS, "an entry stays", |seen| seen.tampered("entries")),
    same(TRANSIT, "a pass gives back what was agreed, once, and never its price", |seen| {
        seen.changed("passes", |was, now| {
            let back = if now.is("status", "refunded") { seen.asked().n("amount_cents") } else { 0 };
            let is_right = !was.has("refunded_cents") && back <= now.n("price_cents");
            (now.n("refunded_cents"), if is_right { back } else { -1 })
        })
    }),
    at_most(TRANSIT.after("quote_refund"), "a quote is the share of the unused days less 6 EUR", |seen| {
        let got = seen.got.unwrap();
        let days = got.n("days").max(1);
        let share = got.n("price_cents") * got.n("unused_days") - days * got.n("fee_cents");
        alone((days * got.n("refund_cents") - share.max(0)).abs(), days)
    }),
    same(TRANSIT, "a penalty is paid once, as was agreed", |seen| {
        seen.changed("penalties", |was, now| {
            let paid = if now.is("status", "paid") { seen.asked().n("amount_cents") } else { 0 };
            (now.n("paid_cents"), if was.is("status", "paid") { -1 } else { paid })
        })
    }),
];

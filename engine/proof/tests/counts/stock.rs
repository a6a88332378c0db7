//! Stock: pieces, refills, downloads and things that somebody has.

use probity_engine::Fields;

use super::count::{BANK, BROKERAGE, CATALOGUE, CLINIC, Count, GUILD, MARKETPLACE, NETWORK, TOURS, at_most, same};
use super::seen::{Rows, Seen, Told, alone};

/// How many of these lines an offer would send or gets back.
fn of_offer(seen: &Seen, lines: &Rows, offer: &Fields) -> i64 {
    let seller = offer.s("seller_id");
    let of_product = lines.of("product_id", offer.s("product_id"));
    of_product.having(|line| seen.one("parcels", line.s("parcel_id")).is("seller_id", seller)).count()
}

fn pieces(lots: &Rows, portfolio: &str, symbol: &str) -> i64 {
    lots.of("portfolio_id", portfolio).of("symbol", symbol).sum("pieces")
}

/// What orders that were carried out by a call add to what a portfolio holds.
fn traded(seen: &Seen, portfolio: &str, symbol: &str) -> i64 {
    let done = seen.turned("orders", "status", "carried_out").of("portfolio_id", portfolio).of("symbol", symbol);
    done.total(|order| if order.is("side", "buy") { order.n("quantity") } else { -order.n("quantity") })
}

/// How much more a portfolio holds than before, and what was traded; all is gone from one that was closed.
fn held(seen: &Seen, of: &Fields) -> (i64, i64) {
    let (portfolio, symbol) = (of.s("portfolio_id"), of.s("symbol"));
    let before = pieces(&seen.earlier("lots"), portfolio, symbol);
    let is_closed = seen.turned("portfolios", "status", "closed").of("portfolio_id", portfolio).count() > 0;
    let counted = if is_closed { -before } else { traded(seen, portfolio, symbol) };
    (pieces(&seen.all("lots"), portfolio, symbol) - before, counted)
}

fn day_of_loan<'a>(seen: &Seen<'a>, loan: &Fields) -> &'a str {
    seen.one("departures", loan.s("departure_id")).s("day")
}

fn lent(seen: &Seen, gear: &str, day: &str) -> i64 {
    seen.all("loans").of("gear_id", gear).having(|loan| day_of_loan(seen, loan) == day).count()
}

pub const STOCK: &[Count] = &[
    same(MARKETPLACE, "stock falls by what is sent and rises by what does not leave", |seen| {
        let cancelled = seen.turned("parcels", "state", "cancelled");
        let is_back = |line: &Fields| cancelled.of("parcel_id", line.s("parcel_id")).count() > 0;
        let back = seen.all("lines").having(is_back);
        let sent = seen.added("lines");
        seen.all("offers").each(|offer| {
            let counted = of_offer(seen, &back, offer) - of_offer(seen, &sent, offer);
            (seen.grown("offers", offer.s("offer_id"), "stock"), counted)
        })
    }),
    at_most(MARKETPLACE, "an item is replaced once", |seen| {
        let lines = seen.all("lines").having(|line| line.has("replaces"));
        lines.each(|line| (lines.of("replaces", line.s("replaces")).count(), 1))
    }),
    at_most(MARKETPLACE, "an item is returned once", |seen| {
        let returns = seen.all("returns");
        returns.each(|one| (returns.of("line_id", one.s("line_id")).count(), 1))
    }),
    same(BROKERAGE, "a portfolio holds what it held and what was traded", |seen| {
        let orders = seen.turned("orders", "status", "carried_out");
        [seen.touched("lots").each(|lot| held(seen, lot)), orders.each(|order| held(seen, order))].concat()
    }),
    same(BROKERAGE, "no lot is gone", |seen| alone(seen.gone("lots").count(), 0)),
    at_most(BROKERAGE, "no more is offered than is held", |seen| {
        let orders = seen.all("orders").of("side", "sell");
        let offered = orders.having(|order| order.s("status").starts_with("waiting"));
        let lots = seen.all("lots");
        offered.each(|order| {
            let (portfolio, symbol) = (order.s("portfolio_id"), order.s("symbol"));
            let quantity = offered.of("portfolio_id", portfolio).of("symbol", symbol).sum("quantity");
            (quantity, pieces(&lots, portfolio, symbol))
        })
    }),
    same(BANK, "a destroyed card has one new card in its place", |seen| {
        alone(seen.turned("cards", "status", "replaced").count(), seen.added("cards").count())
    }),
    same(TOURS, "no more gear is lent for a day than there is", |seen| {
        seen.added("loans").each(|loan| {
            let gear = loan.s("gear_id");
            let over = lent(seen, gear, day_of_loan(seen, loan)) - seen.one("gear", gear).n("stock");
            (over.max(0), 0)
        })
    }),
    same(TOURS, "gear is lent for the departure of a live booking", |seen| {
        seen.all("loans").each(|loan| {
            let booking = seen.one("bookings", seen.one("members", loan.s("member_id")).s("booking_id"));
            let is_right = booking.s("departure_id") == loan.s("departure_id") && !booking.is("status", "cancelled");
            (i64::from(is_right), 1)
        })
    }),
    at_most(TOURS, "a person has one piece of a kind", |seen| {
        let kind = |loan: &Fields| seen.one("gear", loan.s("gear_id")).s("kind");
        let loans = seen.all("loans");
        loans.each(|loan| {
            let same_kind = loans.of("member_id", loan.s("member_id")).having(|other| kind(other) == kind(loan));
            (same_kind.count(), 1)
        })
    }),
    same(TOURS, "gear comes back from those who move or cancel, and from nobody else", |seen| {
        let is_theirs = |loan: &Fields| {
            let booking = seen.one("members", loan.s("member_id")).s("booking_id");
            matches!(seen.call.tool.as_str(), "move_booking" | "cancel_booking")
                && booking == seen.asked().s("booking_id")
        };
        alone(seen.gone("loans").count(), seen.earlier("loans").having(is_theirs).count())
    }),
    same(TOURS.after("find_gear"), "what is told to be free is what is not lent", |seen| {
        let day = seen.one("departures", seen.asked().s("departure_id")).s("day");
        let kind = seen.all("gear").of("kind", seen.asked().s("kind"));
        let told = seen.got.and_then(|got| got.as_array()).unwrap();
        kind.each(|gear| {
            let id = gear.s("gear_id");
            let free = told.iter().find(|one| one.is("gear_id", id)).map_or(0, |one| one.n("free"));
            (free, gear.n("stock") - lent(seen, id, day))
        })
    }),
    same(GUILD, "a character has what it had, got back, won, gave back or was given back", |seen| {
        let (now, was) = (seen.all("items"), seen.earlier("items"));
        let restored = seen.became("item_log", |entry| entry.field("restored") == true);
        let won = seen.turned("rewards", "status", "claimed");
        let reversed = seen.turned("trades", "status", "reversed");
        seen.all("characters").each(|one| {
            let id = one.s("character_id");
            let of = |rows: &Rows, field| rows.of(field, id).count();
            let more = of(&restored, "character_id") + of(&won, "character_id") + of(&reversed, "seller_id");
            let counted = more - of(&reversed, "buyer_id");
            (of(&now, "character_id") - of(&was, "character_id"), counted)
        })
    }),
    same(GUILD, "nothing goes into a vault but what is taken back", |seen| {
        let back = i64::from(seen.call.tool == "return_to_vault" && seen.got.is_some());
        alone(seen.turned("vault_log", "status", "returned").count(), back)
    }),
    same(CATALOGUE, "the downloads of a removed device go with it, and no others", |seen| {
        let removed = seen.gone("devices");
        let stored = |device: &Fields| seen.earlier("downloads").of("device_id", device.s("device_id")).count();
        alone(seen.gone("downloads").count(), removed.total(stored))
    }),
    same(CATALOGUE, "a device is removed by that alone", |seen| {
        let removed = i64::from(seen.call.tool == "remove_device" && seen.got.is_some());
        alone(seen.gone("devices").count(), removed)
    }),
    same(CLINIC, "a refill that is sent uses one up", |seen| {
        let sent = seen.added("refills");
        seen.all("prescriptions").each(|one| {
            let id = one.s("prescription_id");
            (seen.grown("prescriptions", id, "refills_left"), -sent.of("prescription_id", id).count())
        })
    }),
    same(CLINIC, "what was sent stays sent", |seen| seen.tampered("refills")),
    at_most(NETWORK, "nobody has more than two fixed addresses", |seen| {
        let fixed = seen.all("leases").of("status", "active").of("kind", "fixed");
        fixed.each(|lease| (fixed.of("staff_id", lease.s("staff_id")).count(), 2))
    }),
    same(NETWORK, "a released address is not had back", |seen| {
        let [back, gone] = [seen.left("leases", "status", "released"), seen.gone("leases")].map(|rows| rows.count());
        alone(back + gone + seen.added("leases").count(), 0)
    }),
];

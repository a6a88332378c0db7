//! The virtual clock as the agent knows it, and the days and months around it.

use jiff::civil::{Date, Weekday};
use jiff::{Span, Timestamp};

/// The virtual clock's day and time.
#[derive(Clone, Copy, Debug)]
pub struct Calendar {
    pub today: Date,
    /// Minutes after midnight.
    pub now: i64,
}

impl Calendar {
    /// The clock at `seconds` after 1970.
    pub fn at(seconds: i64) -> Calendar {
        let moment = Timestamp::from_second(seconds).unwrap_or_default().to_zoned(jiff::tz::TimeZone::UTC).datetime();
        Calendar { today: moment.date(), now: i64::from(moment.hour()) * 60 + i64::from(moment.minute()) }
    }

    pub fn in_days(&self, days: i64) -> Option<Date> {
        plus_days(self.today, days)
    }

    /// A day of a month whose year was not said: this year's, or one within half a year of today.
    pub fn without_year(&self, month: i8, day: i8) -> Vec<Date> {
        let year = self.today.year();
        let years = [year, year.saturating_sub(1), year.saturating_add(1)].into_iter();
        let dates = years.filter_map(|year| Date::new(year, month, day).ok());
        dates.filter(|date| date.year() == year || days_between(self.today, *date).abs() <= 183).collect()
    }

    /// A month whose year was not said: this year's, and the last or the next one.
    pub fn month_without_year(&self, month: i8) -> Vec<(i16, i8)> {
        let (year, now) = (self.today.year(), self.today.month());
        let other = if month > now { year.saturating_sub(1) } else { year.saturating_add(1) };
        if month == now { vec![(year, month)] } else { vec![(year, month), (other, month)] }
    }

    /// `the 12th`: of this month; of the next when it has passed, of the last when it is still far.
    pub fn day_of_month(&self, day: i8) -> Vec<Date> {
        let this = self.today.first_of_month();
        let apart = day - self.today.day();
        let other = if apart < 0 { Some(1) } else { (apart > 7).then_some(-1) };
        let months = [Some(0), other].into_iter().flatten();
        let starts = months.filter_map(|months| this.checked_add(Span::new().months(months)).ok());
        starts.filter_map(|start| Date::new(start.year(), start.month(), day).ok()).collect()
    }

    /// A weekday: the nearest before, the nearest to come, and the one after when it is the next.
    pub fn weekday(&self, day: Weekday, before: &str) -> Vec<Date> {
        let ahead = i64::from(self.today.weekday().until(day));
        let offsets: &[i64] = match before {
            "last" | "past" | "previous" => &[-7],
            "this" | "coming" => &[0],
            "next" => &[0, 7],
            _ => &[0, 7, -7],
        };
        let near = |offset: &i64| before.is_empty() || (-7..=7).contains(&(ahead + offset));
        offsets
            .iter()
            .filter(|offset| near(offset) || before == "next")
            .filter_map(|o| self.in_days(ahead + o))
            .collect()
    }
}

pub fn plus_days(date: Date, days: i64) -> Option<Date> {
    let days = i32::try_from(days).ok().filter(|days| days.abs() < 40_000)?;
    date.checked_add(Span::new().days(days)).ok()
}

pub fn plus_months(date: Date, months: i64) -> Option<Date> {
    let months = i32::try_from(months).ok().filter(|months| months.abs() < 1_200)?;
    date.checked_add(Span::new().months(months)).ok()
}

pub fn days_between(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}

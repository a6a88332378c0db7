//! Calendar days in running text, seen from the virtual clock.

use jiff::civil::{Date, Weekday};
use jiff::{Span, Timestamp};

use super::lexicon::{WordClass, is, lexicon};
use super::token::{Shape, Token, word_at as word, word_before};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Days {
    pub taken: usize,
    pub dates: Vec<Date>,
    /// Every month it may mean, when it names no day.
    pub months: Vec<(i16, i8)>,
}

/// How far from `the 12th` its month may be named, in tokens.
const NEAR: usize = 200;

pub fn days_at(tokens: &[Token], at: usize, calendar: &Calendar) -> Option<Days> {
    let token = tokens.get(at).filter(|token| token.opens_value)?;
    match token.shape {
        Shape::IsoDate => Some(found(1, token.folded.parse::<Date>().ok())),
        Shape::Number => numeric(tokens, at, calendar).or_else(|| day_first(tokens, at, calendar)),
        Shape::Mixed => quarter(tokens, at, calendar).or_else(|| day_first(tokens, at, calendar)),
        Shape::Word => relative(tokens, at, calendar)
            .or_else(|| Some(found(1, calendar.weekday(weekday_name(tokens, at)?, word_before(tokens, at)))))
            .or_else(|| month_first(tokens, at, calendar))
            .or_else(|| day_first(tokens, at, calendar)),
    }
}

fn found(taken: usize, dates: impl IntoIterator<Item = Date>) -> Days {
    Days { taken, dates: dates.into_iter().collect(), months: Vec::new() }
}

/// `12/06/2026` both ways round, `2026/06/12`, `12.6.2026`, and `12/6` of this year.
fn numeric(tokens: &[Token], at: usize, calendar: &Calendar) -> Option<Days> {
    let dotted: Vec<&str> = word(tokens, at).split('.').collect();
    if let [day, month, year] = dotted.as_slice() {
        return both_ways(1, day, month, year);
    }
    let gap = tokens.get(at + 1)?.gap.as_str();
    if !matches!(gap, "/" | "-") {
        return None;
    }
    let (a, b) = (word(tokens, at), word(tokens, at + 1));
    match tokens.get(at + 2).filter(|third| third.gap == gap && third.shape == Shape::Number) {
        Some(third) if a.len() == 4 => both_ways(3, &third.folded, b, a),
        Some(third) => both_ways(3, a, b, &third.folded),
        None if gap == "/" && (a, b) != ("24", "7") => both_ways(2, a, b, &calendar.today.year().to_string()),
        None => None,
    }
}

fn both_ways(taken: usize, a: &str, b: &str, year: &str) -> Option<Days> {
    let (a, b): (i8, i8) = (a.parse().ok()?, b.parse().ok()?);
    let year: i16 = year.parse().ok().filter(|_| year.len() == 4 || year.len() == 2)?;
    let year = if year < 100 { year + 2000 } else { year };
    let dates: Vec<Date> = [(b, a), (a, b)].into_iter().filter_map(|(m, d)| Date::new(year, m, d).ok()).collect();
    (!dates.is_empty()).then(|| found(taken, dates))
}

/// `12 June`, `12th of June 2026`, `3 to 7 August`, `the 12th`.
fn day_first(tokens: &[Token], at: usize, calendar: &Calendar) -> Option<Days> {
    let (day, is_ordinal, own) = day_at(tokens, at)?;
    let end = at + own;
    let of = usize::from(word(tokens, end) == "of");
    if let Some(month) = month_name(tokens, end + of) {
        return Some(with_year(tokens, at, own + 1 + of, month, &[day], calendar));
    }
    if let Some((last, end)) = last_day(tokens, end) {
        let of = usize::from(word(tokens, end) == "of");
        if let Some(month) = month_name(tokens, end + of) {
            let taken = end + 1 + of - at;
            return Some(with_year(tokens, at, taken, month, &[day, last], calendar));
        }
    }
    let before = word_before(tokens, at);
    if at > 0 && month_name(tokens, at - 1).is_some() {
        return None;
    }
    let is_word = tokens.get(at).is_some_and(|token| token.shape == Shape::Word);
    if !is_ordinal || (is_word && (before != "the" || day < 4)) {
        return None;
    }
    let mut dates = calendar.day_of_month(day);
    let near = at.saturating_sub(NEAR)..tokens.len().min(at + NEAR);
    let named = near.filter_map(|at| month_name(tokens, at)).take(4);
    dates.extend(named.flat_map(|month| calendar.without_year(month, day)));
    (!dates.is_empty()).then(|| found(own, dates))
}

/// The day of a month that starts at a token: `12`, `12th`, `twelfth`, `twenty-first`; whether it is an ordinal, and
/// the tokens it takes.
fn day_at(tokens: &[Token], at: usize) -> Option<(i8, bool, usize)> {
    let tens = |at: usize| match word(tokens, at) {
        "twenty" => Some(20),
        "thirty" => Some(30),
        _ => None,
    };
    let joins = |at: usize| tokens.get(at).is_some_and(|token| matches!(token.gap.as_str(), "-" | " "));
    let small = |at: usize| day_number(word(tokens, at)).filter(|(day, is_ordinal)| *is_ordinal && *day < 10);
    if let Some((tens, (ones, _))) = tens(at).zip(small(at + 1)).filter(|_| joins(at + 1)) {
        return Some((tens + ones, true, 2));
    }
    let is_second_part = small(at).is_some() && joins(at) && at.checked_sub(1).and_then(tens).is_some();
    let (day, is_ordinal) = day_number(word(tokens, at)).filter(|_| !is_second_part)?;
    Some((day, is_ordinal, 1))
}

/// The last day of a range whose first ends before `at`, and where it ends itself: `to 15`, `-15`.
fn last_day(tokens: &[Token], at: usize) -> Option<(i8, usize)> {
    let second = at + usize::from(is(WordClass::DayJoints, word(tokens, at)));
    let is_range = second > at || tokens.get(second).is_some_and(|token| matches!(token.gap.trim(), "-" | "–" | "/"));
    let (day, _, own) = day_at(tokens, second).filter(|_| is_range)?;
    Some((day, second + own))
}

/// The days of a month named at `at`, with the year when it follows.
fn with_year(tokens: &[Token], at: usize, taken: usize, month: i8, days: &[i8], calendar: &Calendar) -> Days {
    match year_number(word(tokens, at + taken)).or_else(|| short_year(tokens, at + taken)) {
        Some(year) => found(taken + 1, days.iter().filter_map(|day| Date::new(year, month, *day).ok())),
        None => found(taken, days.iter().flat_map(|day| calendar.without_year(month, *day))),
    }
}

/// `June 12`, `June 12-15, 2026`, `June 2026`, `June`.
fn month_first(tokens: &[Token], at: usize, calendar: &Calendar) -> Option<Days> {
    let month = month_name(tokens, at)?;
    let the = usize::from(word(tokens, at + 1) == "the");
    if let Some((day, _, own)) = day_at(tokens, at + 1 + the) {
        let end = at + 1 + the + own;
        return Some(match last_day(tokens, end) {
            Some((last, end)) => with_year(tokens, at, end - at, month, &[day, last], calendar),
            None => with_year(tokens, at, end - at, month, &[day], calendar),
        });
    }
    let before = at.checked_sub(if at > 1 && word(tokens, at - 1) == "of" { 2 } else { 1 });
    if before.is_some_and(|before| day_number(word(tokens, before)).is_some()) {
        return None;
    }
    let (taken, months) = match year_number(word(tokens, at + 1)) {
        Some(year) => (2, vec![(year, month)]),
        None => (1, calendar.month_without_year(month)),
    };
    Some(Days { taken, dates: Vec::new(), months })
}

/// `today`, `day after tomorrow`, `this weekend`, `next month`, `last year`.
fn relative(tokens: &[Token], at: usize, calendar: &Calendar) -> Option<Days> {
    let words = (word(tokens, at), word(tokens, at + 1), word(tokens, at + 2));
    let on = |taken: usize, days: &[i64]| Some(found(taken, days.iter().filter_map(|days| calendar.in_days(*days))));
    let monday = -i64::from(Weekday::Monday.until(calendar.today.weekday()));
    match words {
        ("today" | "tonight", _, _) => on(1, &[0]),
        ("this", "morning" | "afternoon" | "evening", _) => on(2, &[0]),
        ("tomorrow", _, _) => on(1, &[1]),
        ("yesterday", _, _) => on(1, &[-1]),
        ("day", "after", "tomorrow") => on(3, &[2]),
        ("day", "before", "yesterday") => on(3, &[-2]),
        ("weekend", _, _) => on(1, &[monday + 4, monday + 5, monday + 6, monday + 12, monday + 13]),
        ("this", "week", _) => on(2, &[monday, monday + 4, monday + 6]),
        ("next", "week", _) => on(2, &[monday + 7, monday + 11, monday + 13, 7]),
        ("last", "week", _) => on(2, &[monday - 7, monday - 3, monday - 1, -7]),
        ("this" | "the" | "next" | "last", "month" | "year", _) => {
            let step = match words.0 {
                "next" => 1,
                "last" => -1,
                _ => 0,
            };
            let months = if words.1 == "month" { step } else { 12 * step };
            let there = calendar.today.checked_add(Span::new().months(months)).ok()?;
            match words.1 {
                "month" => Some(Days { taken: 2, dates: Vec::new(), months: vec![(there.year(), there.month())] }),
                _ => Some(found(2, year_ends(there.year()))),
            }
        }
        _ => None,
    }
}

pub fn year_ends(year: i16) -> Vec<Date> {
    [Date::new(year, 1, 1), Date::new(year, 12, 31)].into_iter().flatten().collect()
}

pub fn month_ends((year, month): (i16, i8)) -> Vec<Date> {
    Date::new(year, month, 1).map_or_else(|_| Vec::new(), |first| vec![first, first.last_of_month()])
}

/// `Q2 2026`, `Q2`.
fn quarter(tokens: &[Token], at: usize, calendar: &Calendar) -> Option<Days> {
    let number: i8 = word(tokens, at).strip_prefix('q')?.parse().ok()?;
    let first = (1..=4).contains(&number).then(|| 3 * number - 2)?;
    let (taken, years) = match year_number(word(tokens, at + 1)) {
        Some(year) => (2, vec![year]),
        None => (1, vec![calendar.today.year(), calendar.today.year().saturating_sub(1)]),
    };
    let ends = |year: &i16| [month_ends((*year, first)), month_ends((*year, first + 2))].concat();
    let dates: Vec<Date> = years.iter().flat_map(ends).collect();
    Some(found(taken, dates))
}

/// The weekday that a token names; a short form only with a capital and beside a number: `Sat 19 Sep`, `Fri, 12.06.`.
pub fn weekday_name(tokens: &[Token], at: usize) -> Option<Weekday> {
    let (day, is_short) = lexicon().entry(word(tokens, at)).weekday?;
    let day = Weekday::from_monday_one_offset(day).ok()?;
    let is_capital = tokens.get(at).is_some_and(Token::is_capitalised);
    let is_number = |at: usize| tokens.get(at).is_some_and(|token| token.shape != Shape::Word);
    let is_beside =
        is_number(at + 1) || at.checked_sub(1).is_some_and(is_number) || month_name(tokens, at + 1).is_some();
    (!is_short || (is_capital && is_beside)).then_some(day)
}

/// `84` of `2 Sept 84`, where it counts nothing.
fn short_year(tokens: &[Token], at: usize) -> Option<i16> {
    let token =
        tokens.get(at).filter(|token| token.raw.len() == 2 && matches!(token.gap.as_str(), " " | " '" | " ’"))?;
    let is_alone = token.after.starts_with([',', '.', ')', ';']) || tokens.len() == at + 1;
    let year: i16 = token.raw.parse().ok().filter(|_| is_alone)?;
    Some(if year < 40 { 2000 + year } else { 1900 + year })
}

pub fn year_number(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..2200).contains(year))
}

/// A day of a month: `12`, `12th`, `twelfth`; whether it is an ordinal.
pub fn day_number(word: &str) -> Option<(i8, bool)> {
    if let Some(day) = lexicon().entry(word).ordinal {
        return Some((day, true));
    }
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
    let ending = word.strip_prefix(digits)?;
    let day: i8 = digits.parse().ok().filter(|day| (1..=31).contains(day))?;
    matches!(ending, "" | "st" | "nd" | "rd" | "th").then_some((day, !ending.is_empty()))
}

/// The month named at a token; `may` and `march` only with a capital, and `May` not where a sentence starts.
fn month_name(tokens: &[Token], at: usize) -> Option<i8> {
    let token = tokens.get(at)?;
    let month = lexicon().entry(&token.folded).month?;
    let is_verb = matches!(token.folded.as_str(), "may" | "march" | "mar");
    let next_is_day = day_number(word(tokens, at + 1)).is_some();
    let previous_is_day = at > 0 && day_number(word(tokens, at - 1)).is_some();
    let meant = !is_verb || next_is_day || previous_is_day || (token.is_capitalised() && !token.starts);
    meant.then_some(month)
}

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
        self.today.checked_add(Span::new().try_days(days).ok()?).ok()
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
            _ if before.is_empty() || ahead == 0 => &[0, 7, -7],
            _ => &[0, -7],
        };
        offsets.iter().filter_map(|offset| self.in_days(ahead + offset)).collect()
    }
}

pub fn days_between(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}

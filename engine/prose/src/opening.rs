//! The words that a number, a day or a time may begin with. Most words are none of them, and need no closer look.

use std::sync::LazyLock;

use compact_str::CompactString;

use super::calendar::MONTHS;
use super::lookup::Words;
use crate::quantity::SMALL_IN_WORDS;

/// Numbers, ordinals, weekdays, and the words of phrases such as `half an hour`, `the day after`, `next week`.
const OTHERS: &str = "\
    thirty forty fifty sixty seventy eighty ninety hundred thousand million \
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth \
    sixteenth seventeenth eighteenth nineteenth twentieth thirtieth \
    monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday \
    sundays mon tue tues wed thu thur thurs fri sat sun mons tues weds thus fris sats suns \
    sept today tonight tomorrow yesterday day night weekend this the next last following previous \
    half quarter fortnight dozen couple pair twice once a an another extra additional per single \
    noon midday midnight";

static OPENINGS: LazyLock<Words> = LazyLock::new(|| {
    let short = MONTHS.iter().filter_map(|name| name.get(..3));
    let named = SMALL_IN_WORDS.into_iter().chain(MONTHS).chain(short);
    named.chain(OTHERS.split_whitespace()).map(CompactString::from).collect()
});

/// Whether a word, folded, may begin a number, a day or a time.
pub fn opens_value(word: &str) -> bool {
    OPENINGS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::super::calendar::Calendar;
    use super::super::date::days_at;
    use super::super::quantity::quantity_at;
    use super::super::time::time_at;
    use super::super::token::tokens;

    /// Any word in any company that begins a value is one of them.
    #[test]
    fn nothing_else_begins_a_value() {
        let words = "the a an in of on at for and or but to past after before until since ago later earlier more less \
            whole full same other each every any some few many much both several week weeks month months year years \
            hour hours minute minutes second seconds morning afternoon evening noon night nights day days euro euros \
            cent cents percent dollar room booking number half quarter one two twenty hundred thousand may march june \
            sun sat monday fridays tomorrow o clock pm am z h k x";
        let calendar = Calendar::at(1_781_168_400);
        let all: Vec<&str> = words.split_whitespace().collect();
        for first in &all {
            for second in &all {
                for third in ["an", "hour", "three", "tomorrow", "of", "June"] {
                    let mut found = tokens(&format!("{first} {second} {third}"));
                    let opens = found[0].opens_value;
                    found[0].opens_value = true;
                    let begins = quantity_at(&found, 0).is_some()
                        || days_at(&found, 0, &calendar).is_some()
                        || time_at(&found, 0).is_some();
                    assert!(opens || !begins, "{first} {second} {third}");
                }
            }
        }
    }
}

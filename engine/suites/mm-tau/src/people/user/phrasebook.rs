//! The words of users, as data: several wordings for each thing to say. `{}` stands for a value. No wording has a word
//! for a digit, so that the only digits in what is said are those of values.

use crate::telecom::{Intent, Persona};

pub(super) type Wordings = &'static [&'static str];

pub(super) struct Phrasebook {
    pub(super) data: Wordings,
    pub(super) service: Wordings,
    pub(super) mms: Wordings,
    pub(super) abroad: Wordings,
    pub(super) home: Wordings,
    pub(super) no_wifi: Wordings,
    pub(super) number: Wordings,
    pub(super) number_again: Wordings,
    pub(super) name: Wordings,
    pub(super) unknown_field: Wordings,
    pub(super) right: Wordings,
    pub(super) wrong: Wordings,
    pub(super) yes: Wordings,
    pub(super) no: Wordings,
    pub(super) amount: Wordings,
    pub(super) doubts_price: Wordings,
    pub(super) no_plan: Wordings,
    pub(super) other_amount: Wordings,
    pub(super) puzzled: Wordings,
    pub(super) where_is: Wordings,
    pub(super) waits: Wordings,
    pub(super) holds: Wordings,
    pub(super) did: Wordings,
    pub(super) looked: Wordings,
    pub(super) already: Wordings,
    pub(super) put_back: Wordings,
    pub(super) one_thing: Wordings,
    pub(super) still_bad: Wordings,
    pub(super) alternative: Wordings,
    pub(super) impatient: Wordings,
    pub(super) content: Wordings,
    pub(super) handed_over: Wordings,
    pub(super) gives_up: Wordings,
}

impl Phrasebook {
    pub(super) fn of(persona: Persona) -> &'static Phrasebook {
        match persona {
            Persona::None => &super::plain_phrases::PLAIN,
            Persona::Easy => &super::confirming_phrases::CONFIRMING,
            Persona::Hard => &super::anxious_phrases::ANXIOUS,
        }
    }

    pub(super) fn complaint(&self, intent: Intent) -> Wordings {
        match intent {
            Intent::MobileData => self.data,
            Intent::Service => self.service,
            Intent::Mms => self.mms,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::{FieldKind, canonical};

    #[test]
    fn what_goes_with_a_number_has_no_digit_of_its_own() {
        for &persona in Persona::ALL {
            let book = Phrasebook::of(persona);
            let beside = [
                book.number,
                book.number_again,
                book.name,
                book.right,
                book.wrong,
                book.puzzled,
                book.complaint(Intent::Mms),
            ];
            for wording in beside.into_iter().flatten() {
                assert_eq!(canonical(FieldKind::Digits, wording), "", "{wording}");
            }
        }
    }
}

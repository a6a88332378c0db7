//! The words of the built-in agents of a desk.

use crate::desk::task::{DeskFact, DeskField};
use crate::measures::FieldKind;

pub fn question(field: DeskField) -> &'static str {
    match field {
        DeskField::Email => "May I have your email address, please?",
        DeskField::FirstName => "May I have your first name, please?",
        DeskField::LastName => "May I have your last name, please?",
        DeskField::Zip => "May I have your zip code, please?",
        DeskField::UserId => "May I have your user id, please?",
        DeskField::OrderId => "May I have the order number, please?",
        DeskField::ReservationId => "May I have the reservation number, please?",
        DeskField::Reason => "What is the reason for that?",
        DeskField::Payment => "Which payment method would you like to use for that?",
        DeskField::Item => "Which item do you mean?",
        DeskField::Variant => "Which colour and which size would you like?",
        DeskField::Address => "What is the full address?",
        DeskField::Date => "On which day, please?",
        DeskField::Flight => "Which flight would you like?",
        DeskField::Cabin => "Which cabin would you like?",
        DeskField::Route => "What is your destination, and where from?",
        DeskField::Passengers => "How many passengers are there, and what are the names of all of them?",
        DeskField::Bags => "How many bags would you like to check in?",
        DeskField::Insurance => "Which insurance would you like, if any?",
    }
}

pub fn again(field: DeskField) -> String {
    format!("I'm sorry, I did not get that right. {} Please say it slowly.", question(field))
}

pub fn noun(field: DeskField) -> &'static str {
    match field {
        DeskField::Email => "email address",
        DeskField::FirstName => "first name",
        DeskField::LastName => "last name",
        DeskField::Zip => "zip code",
        DeskField::UserId => "user id",
        DeskField::OrderId => "order number",
        DeskField::ReservationId => "reservation number",
        _ => "answer",
    }
}

pub(crate) fn read_back(fact: &DeskFact, value: &str) -> String {
    format!("I heard the {} {value} - is that right?", noun(fact.field))
}

pub(crate) fn is_read_back(fact: &DeskFact) -> bool {
    fact.is_critical && (fact.kind != FieldKind::Name || fact.field.is_identity())
}

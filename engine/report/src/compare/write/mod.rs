//! Comparisons and gates as people and CI systems read them.

pub mod github;
pub mod html;
pub mod junit;
pub mod markdown;
pub mod place;
pub mod text;

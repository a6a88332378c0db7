//! probity
fn main() {}

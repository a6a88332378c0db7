//! From an environment file to an [`Environment`]: every static check (L0), all problems at once.

mod builder;
mod conduct;
mod constraints;
mod state;
mod tools;

#[cfg(test)]
mod tests;

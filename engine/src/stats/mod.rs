//! Statistics of runs: repeated trials, intervals, paired differences. Plain numbers in, plain numbers out.

pub mod bootstrap;
pub mod holm;
pub mod moments;
pub mod normal;
pub mod pass_k;
pub mod sign_flip;

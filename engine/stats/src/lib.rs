//! Statistics of runs: trials, intervals, differences, agreement of raters. Plain numbers in, plain numbers out.

pub mod alpha;
pub mod bootstrap;
pub mod holm;
pub mod kappa;
pub mod moments;
pub mod normal;
pub mod pass_k;
pub mod permutation;
mod swaps;
pub mod turned;
pub mod wilson;

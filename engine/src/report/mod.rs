//! Reports: what a run shows, as numbers with denominators.

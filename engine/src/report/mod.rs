//! stub
#![allow(missing_docs)]
pub mod aggregate {
    use crate::model::canonical::Hash;
    use crate::run::record::EpisodeRecord;
    use serde::Serialize;
    #[derive(Serialize)]
    pub struct SuiteCounts {
        pub environments: usize,
        pub domains: usize,
        pub tasks: usize,
        pub task_instances: usize,
    }
    #[derive(Serialize)]
    pub struct Report {
        pub suite: SuiteCounts,
        pub digest: String,
    }
    impl Report {
        pub fn of(_r: &[EpisodeRecord], suite: SuiteCounts, digest: String) -> Report {
            Report { suite, digest }
        }
    }
    pub fn digest_of(r: &[EpisodeRecord]) -> Hash {
        Hash::of(&r.iter().map(|r| serde_json::Value::from(r.digest.to_string())).collect())
    }
}
pub mod table {
    pub fn render(_r: &super::aggregate::Report, _n: &[String], _w: usize) -> String {
        String::new()
    }
}
pub mod html {
    pub fn render(_r: &super::aggregate::Report, _e: &[crate::run::record::EpisodeRecord]) -> String {
        String::new()
    }
}

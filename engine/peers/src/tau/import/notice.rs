//! Whose data a package has.

/// What stands beside the data of a package.
pub(super) const NOTICE: &str = "\
# Whose this is

The tasks, databases and policies in `tasks/`, `data/` and `policy/` are those of tau2-bench, copyright (c) Sierra
Research, given under the MIT licence; they were put into another form by `probity import tau2`, and nothing else was
done to them. Keep this note, and `LICENSE.sierra-research` where it stands beside it, with them.

The tools in `environments/` and `scripts/` are probity's own.
";

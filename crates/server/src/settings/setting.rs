//! One setting, whatever it is.

use std::any::TypeId;

use clap::Arg;

use super::table::command;
use super::values::Secret;

/// One thing that can be chosen, as the command line knows it.
pub struct Setting(Arg);

impl Setting {
    /// Every setting, in the order of the documentation.
    pub fn all() -> Vec<Setting> {
        command().get_arguments().cloned().map(Setting).collect()
    }

    /// Its name, as in the file; flag and variable are made of it.
    pub fn name(&self) -> &str {
        self.0.get_id().as_str()
    }

    /// `--trusted-proxies`, without the dashes in front.
    pub fn flag(&self) -> String {
        self.name().replace('_', "-")
    }

    /// `ARBITER_TRUSTED_PROXIES`.
    pub fn variable(&self) -> String {
        format!("ARBITER_{}", self.name().to_uppercase())
    }

    /// Where in the documentation it stands.
    pub fn section(&self) -> &str {
        self.0.get_help_heading().unwrap_or_default()
    }

    /// What it accepts.
    pub fn accepts(&self) -> &str {
        self.0.get_value_names().map_or("", |names| &names[0])
    }

    /// What it is for.
    pub fn doc(&self) -> String {
        // The full stop is taken off, as clap does with what stands in a list.
        let help = self.0.get_help().map(ToString::to_string);
        help.unwrap_or_default() + "."
    }

    /// What holds when nobody chooses, as it would be written; empty: nothing.
    pub fn default(&self) -> String {
        let values = self.0.get_default_values().iter();
        values.map(|value| value.to_string_lossy()).collect()
    }

    /// Whether its value must never be shown.
    pub(super) fn is_secret(&self) -> bool {
        self.0.get_value_parser().type_id() == TypeId::of::<Secret>()
    }

    /// What the command line would say. A list may be empty and what has no
    /// default may be left out: both are written as nothing.
    pub(super) fn words(&self, text: &str) -> Vec<String> {
        let parts: Vec<&str> = match self.0.get_value_delimiter() {
            Some(comma) => text.split(comma).map(str::trim).collect(),
            None => vec![text],
        };
        let is_optional = self.0.get_default_values().is_empty();
        let given = parts
            .into_iter()
            .filter(|part| !(is_optional && part.is_empty()));
        given
            .map(|part| format!("--{}={part}", self.flag()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    /// Whether a setting takes that text.
    fn takes(setting: &Setting, text: impl ToString) -> bool {
        Settings::parse(setting.words(&text.to_string())).is_ok()
    }

    #[test]
    fn every_default_is_accepted_and_read_back() {
        for setting in Setting::all() {
            let words = setting.words(&setting.default());
            assert_eq!(
                Settings::parse(words).unwrap(),
                Settings::default(),
                "{}",
                setting.name()
            );
        }
        assert_eq!(Setting::all().len(), 84);
    }

    #[test]
    fn a_number_is_accepted_within_the_bounds_that_are_told() {
        for setting in Setting::all() {
            let Some(bounds) = setting.accepts().strip_prefix("a whole number from ") else {
                continue;
            };
            let (least, most) = bounds.split_once(" to ").unwrap();
            let (least, most): (u64, u64) = (least.parse().unwrap(), most.parse().unwrap());
            assert!(
                takes(&setting, least) && takes(&setting, most),
                "{}",
                setting.name()
            );
            assert!(
                !takes(&setting, most + 1) && !takes(&setting, "x"),
                "{}",
                setting.name()
            );
            assert!(
                least == 0 || !takes(&setting, least - 1),
                "{}",
                setting.name()
            );
        }
    }
}

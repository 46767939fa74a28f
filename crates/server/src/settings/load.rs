//! Flags before environment before file, and nothing unknown in any of them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::hint::unknown;
use super::kubernetes::is_of_service;
use super::{Setting, Settings, TABLE};

/// The file that is read if it is there and nobody names another.
const FILE: &str = "arbiter.toml";

/// Where settings are found, as texts by name.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// From the command line.
    pub flags: BTreeMap<String, String>,
    /// `ARBITER_...` variables.
    pub environment: BTreeMap<String, String>,
    /// The file named by `--config`.
    pub config: Option<PathBuf>,
}

/// A setting that is not accepted, or one nobody knows: what to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError(pub(super) String);

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SettingError {}

impl Sources {
    /// Those of this process.
    pub fn of_process(flags: BTreeMap<String, String>, config: Option<PathBuf>) -> Sources {
        let environment = std::env::vars_os()
            .filter_map(|(name, value)| {
                let name = name.into_string().ok()?;
                Some((name, value.to_string_lossy().into_owned()))
            })
            .collect();
        Sources {
            flags,
            environment,
            config,
        }
    }

    /// Reads and checks them all.
    ///
    /// # Errors
    /// [`SettingError`] names the setting, where it was found and what is accepted.
    pub fn load(&self) -> Result<Settings, SettingError> {
        let mut settings = Settings::default();
        if let Some((path, text)) = self.file()? {
            settings.read_file(&path, &text)?;
        }
        settings.read_environment(&self.environment)?;
        for (name, text) in &self.flags {
            let setting =
                known(name).ok_or_else(|| SettingError(format!("there is no setting {name}")))?;
            settings.choose(setting, text, &format!("--{}", setting.flag()))?;
        }
        settings.check()?;
        Ok(settings)
    }

    /// Variables that look like settings and are none: an orchestrator put
    /// them there, and whoever reads the log may wonder.
    pub fn ignored(&self) -> Vec<&str> {
        let all = self.environment.iter();
        all.filter(|(variable, text)| {
            let name = variable.strip_prefix("ARBITER_");
            chosen_by(variable).is_none() && name.is_some_and(|name| is_of_service(name, text))
        })
        .map(|(variable, _)| variable.as_str())
        .collect()
    }

    fn file(&self) -> Result<Option<(PathBuf, String)>, SettingError> {
        let named = self.config.clone();
        let named = named.or_else(|| self.environment.get("ARBITER_CONFIG").map(PathBuf::from));
        let path = match named {
            Some(path) => path,
            None if Path::new(FILE).exists() => PathBuf::from(FILE),
            None => return Ok(None),
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some((path, text))),
            Err(error) => {
                let why = format!(
                    "the settings file {} cannot be read: {error}",
                    path.display()
                );
                Err(SettingError(why))
            }
        }
    }
}

impl Settings {
    pub(super) fn read_file(&mut self, path: &Path, text: &str) -> Result<(), SettingError> {
        let table: toml::Table = text
            .parse()
            .map_err(|error| SettingError(format!("{}: {error}", path.display())))?;
        for (name, value) in &table {
            let place = format!("{name} in {}", path.display());
            let setting = known(name).ok_or_else(|| unknown(&place, name))?;
            let text = plain(value).ok_or_else(|| refused(setting, &value.to_string(), &place))?;
            self.choose(setting, &text, &place)?;
        }
        Ok(())
    }

    fn read_environment(&mut self, all: &BTreeMap<String, String>) -> Result<(), SettingError> {
        for (variable, text) in all {
            let Some(name) = variable.strip_prefix("ARBITER_") else {
                continue;
            };
            if name == "CONFIG" {
                continue;
            }
            let setting = chosen_by(variable);
            if setting.is_none() && is_of_service(name, text) {
                continue;
            }
            let setting = setting.ok_or_else(|| unknown(variable, name))?;
            self.choose(setting, text, variable)?;
        }
        Ok(())
    }

    fn choose(&mut self, setting: &Setting, text: &str, place: &str) -> Result<(), SettingError> {
        let accepted = (setting.set)(self, text.trim());
        if accepted {
            Ok(())
        } else {
            Err(refused(setting, text, place))
        }
    }
}

/// The setting that a variable of the environment chooses.
fn chosen_by(variable: &str) -> Option<&'static Setting> {
    TABLE.iter().find(|setting| setting.variable() == *variable)
}

fn known(name: &str) -> Option<&'static Setting> {
    TABLE.iter().find(|setting| setting.name == name)
}

fn refused(setting: &Setting, text: &str, place: &str) -> SettingError {
    let text = if setting.is_secret {
        "this"
    } else {
        &format!("{text:?}")
    };
    SettingError(format!(
        "{place}: {text} is not accepted; it must be {}",
        setting.accepts
    ))
}

/// A value of the file as the text a flag would have.
fn plain(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(switch) => Some(switch.to_string()),
        toml::Value::Array(values) => {
            let parts: Option<Vec<String>> = values
                .iter()
                .map(|v| v.as_str().map(str::to_owned))
                .collect();
            parts.map(|parts| parts.join(","))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LogFormat, Registration};
    use super::*;

    fn texts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect()
    }

    fn load(
        flags: &[(&str, &str)],
        environment: &[(&str, &str)],
        file: &str,
    ) -> Result<Settings, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("arbiter.toml");
        std::fs::write(&path, file).unwrap();
        let sources = Sources {
            flags: texts(flags),
            environment: texts(environment),
            config: Some(path),
        };
        sources.load().map_err(|e| e.to_string())
    }

    fn refusal(flags: &[(&str, &str)], environment: &[(&str, &str)], file: &str) -> String {
        load(flags, environment, file).expect_err("must be refused")
    }

    #[test]
    fn flags_come_before_environment_before_file_before_defaults() {
        let file = "queue_max = 1\nfold_after = 2\nsession_days = 3";
        let environment = [("ARBITER_QUEUE_MAX", "10"), ("ARBITER_FOLD_AFTER", "20")];
        let settings = load(&[("queue_max", "100")], &environment, file).unwrap();
        assert_eq!(settings.queue_max, 100);
        assert_eq!(settings.fold_after, 20);
        assert_eq!(settings.session_days, 3);
        assert_eq!(settings.fold_seconds, Settings::default().fold_seconds);
    }

    #[test]
    fn a_file_has_numbers_switches_words_and_lists() {
        let file = "
            listen = \"0.0.0.0:0\"
            anonymous_reads = false
            rate_limits = \"off\"
            registration = \"closed\"
            trusted_proxies = [\"127.0.0.1\", \"10.0.0.0/8\"]
            log_format = \"json\"";
        let settings = load(&[], &[], file).unwrap();
        assert_eq!(settings.listen.port(), 0);
        assert!(!settings.anonymous_reads);
        assert!(!settings.rate_limits);
        assert_eq!(settings.registration, Registration::Closed);
        assert_eq!(settings.trusted_proxies.len(), 2);
        assert_eq!(settings.log_format, LogFormat::Json);
    }

    #[test]
    fn a_wrong_value_is_refused_by_name_and_place_with_what_is_accepted() {
        let why = refusal(&[("listen", "7878")], &[], "");
        assert!(
            why.starts_with("--listen: \"7878\" is not accepted; it must be ADDRESS:PORT"),
            "{why}"
        );
        let why = refusal(&[], &[("ARBITER_REGISTRATION", "maybe")], "");
        assert!(
            why.contains("ARBITER_REGISTRATION") && why.contains("open, invite or closed"),
            "{why}"
        );
        let why = refusal(&[], &[], "queue_max = 0");
        assert!(
            why.contains("queue_max in ") && why.contains("from 1 to"),
            "{why}"
        );
        let why = refusal(&[], &[], "[queue_max]\nx = 1");
        assert!(
            why.contains("queue_max in ") && why.contains("from 1 to"),
            "{why}"
        );
        let why = refusal(&[("bus", "nats://x")], &[], "");
        assert!(why.contains("must be local"), "{why}");
        let why = refusal(&[("log", "a=b=c")], &[], "");
        assert!(why.contains("--log"), "{why}");
    }

    #[test]
    fn an_unknown_setting_is_refused_wherever_it_is() {
        let why = refusal(&[], &[("ARBITER_LISTN", "x")], "");
        assert_eq!(
            why,
            "ARBITER_LISTN: there is no such setting; did you mean listen?"
        );
        let why = refusal(&[], &[("ARBITER_listen", "127.0.0.1:1")], "");
        assert!(why.contains("ARBITER_listen"), "{why}");
        let why = refusal(&[], &[], "listen_to = \"x\"");
        assert!(
            why.contains("listen_to in ") && why.contains("listen"),
            "{why}"
        );
        assert!(
            load(
                &[],
                &[("ARBITER_PORT", "tcp://10.0.0.1:80"), ("HOME", "x")],
                ""
            )
            .is_ok()
        );
    }

    #[test]
    fn what_an_orchestrator_says_of_its_services_is_ignored_and_named() {
        let environment = [
            ("ARBITER_METRICS_SERVICE_HOST", "10.0.0.1"),
            ("ARBITER_PORT_7878_TCP", "tcp://10.0.0.1:7878"),
            ("ARBITER_QUEUE_MAX", "7"),
        ];
        let settings = load(&[], &environment, "").unwrap();
        assert_eq!(settings.queue_max, 7);
        let sources = Sources {
            environment: texts(&environment),
            ..Sources::default()
        };
        assert_eq!(
            sources.ignored(),
            ["ARBITER_METRICS_SERVICE_HOST", "ARBITER_PORT_7878_TCP"]
        );
        let why = refusal(&[], &[("ARBITER_PORT", "7878")], "");
        assert!(why.contains("ARBITER_PORT"), "{why}");
    }

    #[test]
    fn a_secret_is_not_repeated() {
        let secret = || Some("hush".to_owned());
        let settings = Settings {
            invite_code: secret(),
            jwt_key: secret(),
            ..Settings::default()
        };
        assert!(!format!("{settings:?}").contains("hush"));
    }

    #[test]
    fn a_file_that_was_named_must_be_there() {
        let sources = Sources {
            config: Some("/nowhere/x.toml".into()),
            ..Sources::default()
        };
        assert!(
            sources
                .load()
                .unwrap_err()
                .to_string()
                .contains("/nowhere/x.toml")
        );
        let mut sources = Sources::default();
        sources
            .environment
            .insert("ARBITER_CONFIG".into(), "/nowhere/y.toml".into());
        assert!(
            sources
                .load()
                .unwrap_err()
                .to_string()
                .contains("/nowhere/y.toml")
        );
    }
}

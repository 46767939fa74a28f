//! Flags before environment before file, and nothing unknown in any of them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use strsim::levenshtein;

use super::kubernetes::is_of_service;
use super::{Setting, Settings};

/// The file that is read if it is there and nobody names another.
const FILE: &str = "arbiter.toml";

const PREFIX: &str = "ARBITER_";
const CONFIG: &str = "ARBITER_CONFIG";
/// Who a client of a server is, for `arbiter mcp`: no setting, and in no file.
const TOKEN: &str = "ARBITER_TOKEN";

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
        let mut choices = Choices {
            known: Setting::all(),
            words: BTreeMap::new(),
        };
        if let Some((path, table)) = self.file()? {
            for (name, value) in &table {
                let place = format!("{name} in {}", path.display());
                choices.choose(name, plain(value), &place)?;
            }
        }
        let ignored = self.ignored();
        for (variable, text) in &self.environment {
            let is_ours = variable.starts_with(PREFIX) && variable != CONFIG && variable != TOKEN;
            if is_ours && !ignored.contains(&variable.as_str()) {
                choices.choose(&named(variable), Ok(text.clone()), variable)?;
            }
        }
        for (name, text) in &self.flags {
            let place = format!("--{}", name.replace('_', "-"));
            choices.choose(name, Ok(text.clone()), &place)?;
        }
        choices.settings()
    }

    /// Variables that look like settings and are none: an orchestrator put
    /// them there, and whoever reads the log may wonder.
    pub fn ignored(&self) -> Vec<&str> {
        let settings = Setting::all();
        let all = self.environment.iter();
        all.filter(|(variable, text)| {
            let is_setting = settings.iter().any(|s| s.variable() == **variable);
            let name = variable.strip_prefix(PREFIX);
            !is_setting && name.is_some_and(|name| is_of_service(name, text))
        })
        .map(|(variable, _)| variable.as_str())
        .collect()
    }

    fn file(&self) -> Result<Option<(PathBuf, toml::Table)>, SettingError> {
        let named = self.config.clone();
        let named = named.or_else(|| self.environment.get(CONFIG).map(PathBuf::from));
        let path = match named {
            Some(path) => path,
            None if Path::new(FILE).exists() => PathBuf::from(FILE),
            None => return Ok(None),
        };
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let path = path.display();
            SettingError(format!("the settings file {path} cannot be read: {error}"))
        })?;
        match text.parse() {
            Ok(table) => Ok(Some((path, table))),
            Err(error) => Err(SettingError(format!("{}: {error}", path.display()))),
        }
    }
}

/// The name that a variable stands for; one in small letters stands for none.
fn named(variable: &str) -> String {
    let name = variable.trim_start_matches(PREFIX);
    if name.contains(|sign: char| sign.is_lowercase()) {
        return variable.to_owned();
    }
    name.to_lowercase()
}

/// What was chosen, as a text; an error is something that no setting can be.
type Plain = Result<String, String>;

/// A value of the file as the text a flag would have.
fn plain(value: &toml::Value) -> Plain {
    let other = || Err(value.to_string());
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Boolean(switch) => Ok(switch.to_string()),
        toml::Value::Array(values) => {
            let parts: Option<Vec<&str>> = values.iter().map(toml::Value::as_str).collect();
            parts.map_or_else(other, |parts| Ok(parts.join(",")))
        }
        _ => other(),
    }
}

/// What was chosen so far: a later choice takes the place of an earlier one.
struct Choices {
    known: Vec<Setting>,
    words: BTreeMap<String, Vec<String>>,
}

impl Choices {
    /// Each choice is read by itself, so that a refusal says where it was found,
    /// also if another one comes before it.
    fn choose(&mut self, name: &str, text: Plain, place: &str) -> Result<(), SettingError> {
        let setting = self.known.iter().find(|s| s.name() == name);
        let setting = setting.ok_or_else(|| self.unknown(name, place))?;
        let words = text.as_ref().ok().map(|text| setting.words(text.trim()));
        match words.filter(|words| Settings::parse(words.clone()).is_ok()) {
            Some(words) => {
                self.words.insert(name.to_owned(), words);
                Ok(())
            }
            None => Err(refused(setting, &text.unwrap_or_else(|other| other), place)),
        }
    }

    fn settings(self) -> Result<Settings, SettingError> {
        let words = self.words.into_values().flatten().collect();
        let settings = Settings::parse(words).expect("each of them was accepted");
        settings.check()?;
        Ok(settings)
    }

    fn unknown(&self, name: &str, place: &str) -> SettingError {
        let meant = name.trim_start_matches(PREFIX).to_lowercase();
        let names = || self.known.iter().map(Setting::name);
        let near = names().map(|known| (levenshtein(&meant, known), known));
        let hint = match near.min() {
            Some((steps, near)) if steps <= 3 => format!("did you mean {near}?"),
            _ => {
                let names: Vec<&str> = names().collect();
                format!("the settings are {}", names.join(", "))
            }
        };
        SettingError(format!("{place}: there is no such setting; {hint}"))
    }
}

fn refused(setting: &Setting, text: &str, place: &str) -> SettingError {
    let text = if setting.is_secret() {
        "this"
    } else {
        &format!("{text:?}")
    };
    let accepts = setting.accepts();
    SettingError(format!(
        "{place}: {text} is not accepted; it must be {accepts}"
    ))
}

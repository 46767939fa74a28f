//! One flag per setting. They are read as texts here, since a wrong one is told in
//! the same way wherever it stands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::settings::{Setting, SettingError, Settings, Sources};

/// The settings on the command line, and where the file of the others is.
pub(super) struct Flags {
    chosen: BTreeMap<String, String>,
    config: Option<PathBuf>,
}

impl Flags {
    /// All settings, from wherever they come, and the variables that are none.
    pub(super) fn load(self) -> Result<(Settings, Vec<String>), SettingError> {
        let sources = Sources::of_process(self.chosen, self.config);
        let settings = sources.load()?;
        let ignored = sources.ignored().into_iter().map(str::to_owned);
        Ok((settings, ignored.collect()))
    }
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new("config")
            .long("config")
            .value_name("FILE")
            .global(true)
            .help(
                "The settings file [env: ARBITER_CONFIG] [default: arbiter.toml, if there is one]",
            );
        Setting::all()
            .iter()
            .fold(command.arg(config), |command, setting| {
                let default = match setting.default() {
                    text if text.is_empty() => String::new(),
                    text => format!(" [default: {text}]"),
                };
                let help = format!("{} [env: {}]{default}", setting.doc(), setting.variable());
                let accepts = format!("{help}\n\nMust be {}.", setting.accepts());
                let heading = format!("Settings, {}", setting.section());
                command.arg(
                    Arg::new(setting.name().to_owned())
                        .long(setting.flag())
                        .value_name("VALUE")
                        .global(true)
                        .help_heading(heading)
                        .hide_short_help(true)
                        .allow_hyphen_values(true)
                        .help(help)
                        .long_help(accepts),
                )
            })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Flags, Error> {
        let settings = Setting::all();
        let chosen = settings.iter().filter_map(|setting| {
            let text = matches.get_one::<String>(setting.name())?;
            Some((setting.name().to_owned(), text.clone()))
        });
        Ok(Flags {
            chosen: chosen.collect(),
            config: matches.get_one::<String>("config").map(PathBuf::from),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Flags::from_arg_matches(matches)?;
        Ok(())
    }
}

//! `docs/settings.md`, from the table.

use super::Setting;

const HEAD: &str = "\
# Settings

Arbiter needs none of these: every setting has a default. A setting is found by its name as a flag
(`--trusted-proxies`), as a variable of the environment (`ARBITER_TRUSTED_PROXIES`) and as a key of a file
(`trusted_proxies` in `arbiter.toml`). A flag comes before the environment, the environment before the file. The
file is the one named by `--config` or `ARBITER_CONFIG`, else `arbiter.toml` in the current directory if there is one.
A wrong or unknown setting is refused at start, by name.

This page is written by the server from its own table (`arbiter settings`), and a test keeps it up to date.
";

/// The page, as it must stand in `docs/settings.md`.
pub fn page() -> String {
    let mut page = String::from(HEAD);
    let mut section = String::new();
    for setting in Setting::all() {
        if section != setting.section() {
            section = setting.section().to_owned();
            page += &format!(
                "\n## {section}\n\n| setting | default | accepts | what it does |\n|---|---|---|---|\n"
            );
        }
        let default = match setting.default() {
            text if text.is_empty() => String::new(),
            text => format!("`{text}`"),
        };
        let (name, accepts, doc) = (setting.name(), setting.accepts(), setting.doc());
        page += &format!("| `{name}` | {default} | {accepts} | {doc} |\n");
    }
    page
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_in_docs_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == super::page(),
            "docs/settings.md is out of date: run `arbiter settings > docs/settings.md`"
        );
    }
}

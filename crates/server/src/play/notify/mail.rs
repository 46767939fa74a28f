//! Sending letters by SMTP.

use std::time::Duration;

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

use crate::settings::Settings;

/// How long a server may take for each step.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long it may take in all.
const WHOLE: Duration = Duration::from_secs(60);

/// Sends letters.
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// A letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// What it is about.
    pub subject: String,
    /// For those who read text.
    pub text: String,
    /// For those who read HTML.
    pub html: String,
    /// Where one can end such letters, if one can.
    pub unsubscribe: Option<String>,
}

/// Why a letter was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsent {
    /// Nobody gets mail there, and never will.
    NoSuchAddress(String),
    /// Not now.
    NotNow(String),
}

impl Mailer {
    /// As the operator said; `None`: this server sends no mail.
    ///
    /// # Errors
    /// A sentence naming the setting that is wrong.
    pub fn of(settings: &Settings) -> Result<Option<Mailer>, String> {
        let (Some(url), Some(from)) = (&settings.smtp_url, &settings.mail_from) else {
            return Ok(None);
        };
        let from: Mailbox = from
            .parse()
            .map_err(|error| format!("mail_from: {error}"))?;
        // What is wrong with it must not show the password in it.
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|_| "smtp_url: not smtp://HOST or smtps://HOST as described".to_owned())?;
        Ok(Some(Mailer {
            transport: transport.timeout(Some(PATIENCE)).build(),
            from,
        }))
    }

    /// The host that letters come from, which makes their names.
    pub(super) fn host(&self) -> &str {
        self.from.email.domain()
    }

    /// Sends a letter under that name.
    ///
    /// # Errors
    /// [`Unsent`].
    pub async fn send(&self, to: &str, letter: &Letter, message_id: &str) -> Result<(), Unsent> {
        let gone = |why: &dyn ToString| Unsent::NoSuchAddress(why.to_string());
        let address: Address = to.parse().map_err(|error| gone(&error))?;
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, address))
            .subject(&letter.subject)
            .message_id(Some(message_id.to_owned()));
        if let Some(link) = &letter.unsubscribe {
            message = message
                .raw_header(header("List-Unsubscribe", format!("<{link}>")))
                .raw_header(header(
                    "List-Unsubscribe-Post",
                    "List-Unsubscribe=One-Click".to_owned(),
                ));
        }
        message = message.raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
        let body = MultiPart::alternative_plain_html(letter.text.clone(), letter.html.clone());
        let message = message.multipart(body).map_err(|error| gone(&error))?;
        match tokio::time::timeout(WHOLE, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) if is_final(&error) => Err(gone(&error)),
            Ok(Err(error)) => Err(Unsent::NotNow(error.to_string())),
            Err(_) => Err(Unsent::NotNow("the mail server takes too long".into())),
        }
    }
}

/// Whether the recipient was refused for good. Other refusals that are called
/// permanent (of us, our name or our letter) may be mended by the operator.
fn is_final(error: &lettre::transport::smtp::Error) -> bool {
    let code = error.status().map(u16::from);
    let is_refused = error.is_permanent() && matches!(code, Some(550 | 551 | 553));
    is_refused && is_about_the_recipient(&error.to_string())
}

/// Of those who say in detail what is wrong (RFC 3463): 5.1 is the address, 5.2 the
/// mailbox; 5.7, say, is that they do not want letters from us.
fn is_about_the_recipient(said: &str) -> bool {
    let mut words = said.split_whitespace();
    let detail = words.find(|word| word.starts_with("5.") && word.matches('.').count() == 2);
    detail.is_none_or(|detail| detail.starts_with("5.1.") || detail.starts_with("5.2."))
}

fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_given_up_when_it_is_the_address() {
        for said in [
            "permanent error (550): 5.1.1 no such user",
            "permanent error (550): 5.2.1 this mailbox is closed",
            "permanent error (550): No such user",
        ] {
            assert!(is_about_the_recipient(said), "{said}");
        }
        assert!(!is_about_the_recipient(
            "permanent error (550): 5.7.1 we know of no such sender"
        ));
    }
}

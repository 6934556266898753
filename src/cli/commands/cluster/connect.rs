//! The connection to the message server, by the client's own options.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use async_nats::jetstream;
use async_nats::jetstream::context::RequestErrorKind;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::failure::Failure;

/// Where the message server is, and how it knows us.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct ConnectArgs {
    /// The server, or several of one NATS cluster, separated by commas: nats://HOST:4222,
    /// tls://HOST:4222, nats://USER:PASSWORD@HOST or nats://TOKEN@HOST
    /// [default: NATS_URL, else nats://127.0.0.1:4222]
    #[arg(long, global = true, value_name = "URL")]
    nats: Option<String>,

    /// Credentials file of the user
    #[arg(long, global = true, value_name = "FILE")]
    creds: Option<PathBuf>,

    /// Certificates of authorities to be trusted besides those of the system, PEM
    #[arg(long, global = true, value_name = "FILE")]
    ca: Option<PathBuf>,

    /// Certificate that this program shows, PEM
    #[arg(long, global = true, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,

    /// Private key of that certificate, PEM
    #[arg(long, global = true, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
}

impl ConnectArgs {
    /// Connects, and makes sure that the server keeps streams.
    pub(super) async fn connect(&self, context: &Context) -> Result<jetstream::Context, Failure> {
        let url = self.nats.clone().or_else(|| std::env::var("NATS_URL").ok());
        let url = url.filter(|url| !url.is_empty()).unwrap_or_else(|| "127.0.0.1:4222".into());
        let servers = servers(&url)?;
        let names = names(&servers);
        let options = self.options(&servers).await?.event_callback(tell(context.clone()));
        let client = options.connect(&servers).await.map_err(|error| {
            Failure::Run(match error.kind() {
                ConnectErrorKind::AuthorizationViolation => {
                    format!("{names} does not let us in: wrong or missing user, password or token")
                }
                _ => format!("cannot connect to {names}: {error}"),
            })
        })?;
        let server = jetstream::new(client);
        keeps_streams(&server, &names).await?;
        Ok(server)
    }

    async fn options(&self, servers: &[ServerAddr]) -> Result<ConnectOptions, Failure> {
        let mut options = ConnectOptions::new().name("nqueens");
        // The client itself ignores who is named in a URL.
        if let Some(server) = servers.iter().find(|server| server.has_user_pass()) {
            let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
            let user = decoded(server.username().unwrap_or_default());
            options = match server.password() {
                Some(password) => options.user_and_password(user, decoded(password)),
                None => options.token(user),
            };
        }
        if let Some(file) = &self.creds {
            options = options.credentials_file(file).await.map_err(|error| {
                Failure::Usage(format!("credentials file {}: {error}", file.display()))
            })?;
        }
        for file in [&self.ca, &self.cert, &self.key].into_iter().flatten() {
            // The client would not say which one it cannot read.
            std::fs::File::open(file)
                .map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?;
        }
        if let Some(file) = &self.ca {
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        if let (Some(cert), Some(key)) = (&self.cert, &self.key) {
            options = options.add_client_certificate(cert.clone(), key.clone()).require_tls(true);
        }
        Ok(options)
    }
}

fn servers(urls: &str) -> Result<Vec<ServerAddr>, Failure> {
    let parse = |(number, url): (usize, &str)| {
        // The URL may hold a password, so it is not repeated.
        let wrong = |reason: String| format!("server {number} of --nats or NATS_URL: {reason}");
        let server: ServerAddr =
            url.trim().parse().map_err(|error: std::io::Error| wrong(error.to_string()))?;
        match server.host().is_empty() || server.is_websocket() {
            true => Err(wrong("a server is nats://HOST:PORT or tls://HOST:PORT".into())),
            false => Ok(server),
        }
    };
    (1..).zip(urls.split(',')).map(parse).collect::<Result<_, _>>().map_err(Failure::Usage)
}

/// The servers without users and passwords.
fn names(servers: &[ServerAddr]) -> String {
    let name = |server: &ServerAddr| format!("{}:{}", server.host(), server.port());
    servers.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Refuses a server that cannot hold a run, with the way out.
async fn keeps_streams(server: &jetstream::Context, names: &str) -> Result<(), Failure> {
    let answer = server.request::<_, _, Value>("STREAM.NAMES", &json!({})).await;
    let reason = match answer {
        Ok(answer) => match answer["error"]["description"].as_str() {
            Some(error) => error.into(),
            None => return Ok(()),
        },
        Err(error) => match error.kind() {
            RequestErrorKind::TimedOut => {
                "it did not answer: JetStream is not ready, or this user may not use it".into()
            }
            RequestErrorKind::NoResponders => {
                "JetStream is not enabled: start it with `nats-server -js -sd FOLDER`".into()
            }
            _ => error.to_string(),
        },
    };
    Err(Failure::Run(format!("{names} cannot keep a run: {reason}")))
}

/// Tells people about the connection.
fn tell(context: Context) -> impl Fn(Event) -> std::future::Ready<()> + Send + Sync + 'static {
    let lost = AtomicBool::new(false);
    move |event| {
        let news = match event {
            Event::Disconnected if !lost.swap(true, Ordering::Relaxed) => {
                Some("the connection to the server is lost; trying to get it back".into())
            }
            Event::Connected if lost.swap(false, Ordering::Relaxed) => {
                Some("connected to the server again".into())
            }
            Event::ServerError(error) => Some(format!("the server says: {error}")),
            _ => None,
        };
        if let Some(news) = news {
            context.note(&news);
        }
        std::future::ready(())
    }
}

/// The largest message that the server takes.
pub(super) fn largest_message(client: &Client) -> u64 {
    client.max_payload() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_hold_no_password() {
        for urls in ["nats://me:secret@", "http://me:secret@here", "nats://me:secret@[x"] {
            let Err(Failure::Usage(message)) = servers(urls) else { panic!("{urls} was taken") };
            assert!(!message.contains("secret"), "{message}");
        }
        let servers = servers("nats://me:secret@one, tls://two:4443,[::1]:5").unwrap();
        assert_eq!(names(&servers), "one:4222, two:4443, ::1:5");
    }
}

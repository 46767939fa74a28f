//! The engines that this machine happens to have: they play whatever they say they play. Without any, nothing is shown.

use std::time::Duration;

use bots::engine::Limits;
use bots::pool::{Config, Pool, Question, Urgency, Wish};
use bots::uci::config;
use bots::{By, Situation};
use chess::rules::Variant;

#[tokio::test]
async fn installed_engines_play() {
    for engine in config::installed(std::env::var_os("PATH").as_deref()) {
        let pool = Pool::start(Config {
            engines: vec![engine.clone()],
            workers: 1,
            ..Config::default()
        });
        for variant in Variant::ALL {
            let mut situation = Situation::usual(variant);
            for _ in 0..12 {
                if situation.board().end().is_some() {
                    break;
                }
                let question = Question {
                    game: 1,
                    urgency: Urgency::Live,
                    situation: situation.clone(),
                    wish: Wish::Best(Limits::nodes(500)),
                    time: Duration::from_secs(60),
                    within: Duration::MAX,
                    seed: 1,
                };
                let answer = pool.ask(question).await.expect("a move");
                let standard = matches!(variant, Variant::Standard | Variant::Chess960);
                assert!(
                    answer.by == By::Uci || !standard,
                    "{}",
                    engine.path.display()
                );
                situation.play(answer.m);
            }
        }
        let counts = pool.counts();
        println!("{}: {counts:?}", engine.path.display());
        assert_eq!(counts.faults, 0, "{}", engine.path.display());
        pool.close().await;
    }
}

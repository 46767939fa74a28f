//! Many requests for one half-move at the same moment.

use serde_json::json;

use crate::client::{Answer, Client, Server};

/// Sends all at once and waits for every answer.
async fn at_once(player: &Client, game: &str, moves: &[&str], ply: u32) -> Vec<Answer> {
    let sent: Vec<_> = moves
        .iter()
        .map(|text| {
            let (player, game, text) = (player.clone(), game.to_owned(), (*text).to_owned());
            tokio::spawn(async move { player.plays_at(&game, &text, ply).await })
        })
        .collect();
    let mut answers = Vec::new();
    for answer in sent {
        answers.push(answer.await.expect("an answer"));
    }
    answers
}

/// Rounds of the two races. `ARBITER_RACES=1000` for the long form.
fn rounds() -> u32 {
    std::env::var("ARBITER_RACES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(40)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_different_moves_racing_for_one_ply_exactly_one_wins() {
    let server = Server::start().await;
    let (white, black, id) = server.game(json!({ "time_control": null })).await;
    let shuffle = [["Nf3", "Nc3", "Nh3", "Na3"], ["Nf6", "Nc6", "Nh6", "Na6"]];
    let mut ply = 0;
    for _ in 0..rounds() / 2 {
        for (side, player) in [&white, &black].into_iter().enumerate() {
            ply += 1;
            let answers = at_once(player, &id, &shuffle[side], ply).await;
            assert_eq!(
                answers.iter().filter(|a| a.status == 200).count(),
                1,
                "{answers:?}"
            );
            assert!(
                answers.iter().all(|a| [200, 409].contains(&a.status)),
                "{answers:?}"
            );
        }
        // Both go back by agreement, so that the next round races anew.
        white.asks(&id, "offer-takeback").await.expect(200);
        black.asks(&id, "accept-takeback").await.expect(200);
        ply -= 2;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identical_moves_racing_all_get_the_same_bytes() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let cycle = ["Nf3", "Nf6", "Rg1", "Rg8", "Rh1", "Rh8"];
    let mut games = vec![(white, black, id)];
    for round in 0..rounds() {
        let at = (round as usize) % cycle.len();
        if at == 0 && round > 0 {
            games.push(server.blitz().await);
        }
        let (white, black, id) = games.last().expect("a game");
        let player = if at.is_multiple_of(2) { white } else { black };
        let answers = at_once(player, id, &[cycle[at]; 4], at as u32 + 1).await;
        assert_eq!(answers[0].status, 200, "{answers:?}");
        assert!(answers.iter().all(|a| *a == answers[0]), "{answers:?}");
    }
}

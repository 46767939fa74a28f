use live::room::Crowd as _;
use tokio::net::{TcpListener, TcpStream};

use super::*;
use crate::rooms::wire::SharedStream;
use crate::settings::Settings;

fn id() -> TableId {
    TableId::from_random(7)
}

fn ping() -> News {
    News::of(What::Ping)
}

async fn wire() -> (Arc<Wire>, SharedStream, TcpStream) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).await;
    let (stream, _) = listener.accept().await.unwrap();
    let owner = SharedStream::new(stream);
    (owner.wire(), owner, client.unwrap())
}

/// Unlike a panic it is not printed.
fn speechless(_: TableId, _: &News) -> Option<Words> {
    std::panic::resume_unwind(Box::new("no words"))
}

fn silent(_: TableId, _: &News) -> Option<Words> {
    None
}

#[tokio::test]
async fn telling_that_fails_costs_one_thing_and_all_look_for_themselves() {
    let (crowds, rooms) = (Crowds::default(), Rooms::new(&Settings::default()));
    let queues = crowds.take_queues().unwrap();
    let crowd = crowds.maker()(id());
    let (wire, _owner, _client) = wire().await;
    let part = wire.part().index();
    let mut queue = queues.into_iter().nth(part).unwrap();
    let listener = crowd.join(None, wire, speechless);
    crowd.tell(&ping());
    let told = async { run(&rooms, &mut queue).await };
    tokio::select! {
        () = told => unreachable!("it goes on"),
        got = listener.recv(0) => assert!(matches!(got, Err(RecvError::Lagged(_)))),
    }
    assert_eq!(rooms.stats().failed, 1);
}

/// Whoever looked knows more than what was still on its way to them.
#[tokio::test]
async fn nothing_is_told_that_is_older_than_the_look() {
    let crowds = Crowds::default();
    let queues = crowds.take_queues().unwrap();
    let crowd = crowds.maker()(id());
    let (wire, _owner, _client) = wire().await;
    let part = wire.part().index();
    let mut queue = queues.into_iter().nth(part).unwrap();
    let first = crowd.join(None, Arc::clone(&wire), silent);
    crowd.tell(&ping());
    let late = crowd.join(None, wire, silent);
    let telling = queue.try_recv().unwrap();
    tell_all(&telling).await;
    let has = |listener: &Listener| matches!(listener.state().next(0), Some(Ok(Got::News(_))));
    assert!(has(&first));
    assert!(!has(&late), "they came after it, and look");

    crowd.tell(&ping());
    let telling = queue.try_recv().unwrap();
    lose_all(&mut lock(&crowd.0[part].listeners), telling.number);
    tell_all(&telling).await;
    for listener in [&first, &late] {
        assert!(matches!(
            listener.state().next(0),
            Some(Err(RecvError::Lagged(_)))
        ));
        assert!(!has(listener));
    }
}

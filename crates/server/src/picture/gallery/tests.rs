use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use futures_util::FutureExt;

use super::*;

#[tokio::test]
async fn so_many_are_drawn_so_many_wait_and_the_rest_is_refused() {
    let gallery = Arc::new(Gallery::new(1, 1));
    let (go_on, told) = channel::<()>();
    let mut first = Box::pin(gallery.picture([1; 16], move || {
        // Draws until the test ends it.
        assert!(told.recv().is_err());
        vec![1]
    }));
    assert!(first.as_mut().now_or_never().is_none());
    let mut second = Box::pin(gallery.picture([2; 16], || vec![2]));
    assert!(second.as_mut().now_or_never().is_none());
    let third = gallery.picture([3; 16], || vec![3]).await.unwrap_err();
    assert_eq!((third.status().as_u16(), third.retry_after), (503, Some(1)));
    drop(go_on);
    assert_eq!(first.await.unwrap(), vec![1]);
    assert_eq!(second.await.unwrap(), vec![2]);
    assert_eq!(gallery.picture([3; 16], || vec![3]).await.unwrap(), vec![3]);
}

#[tokio::test]
async fn the_same_is_drawn_once() {
    let gallery = Gallery::default();
    let drawn = Arc::new(AtomicUsize::new(0));
    let ask = || {
        let drawn = Arc::clone(&drawn);
        gallery.picture([7; 16], move || {
            drawn.fetch_add(1, Ordering::Relaxed);
            vec![7; 100]
        })
    };
    for _ in 0..10 {
        assert_eq!(ask().await.unwrap().len(), 100);
    }
    assert_eq!(drawn.load(Ordering::Relaxed), 1);
}

#[test]
fn pictures_take_so_much_memory_and_the_wanted_ones_stay() {
    let mut known = Known::default();
    for n in 0..10_000_u16 {
        let mut subject = [0; 16];
        subject[..2].copy_from_slice(&n.to_be_bytes());
        known.put(subject, vec![0; 20_000].into());
        assert!(
            known.get(&[0; 16]).is_some(),
            "it is asked for all the time"
        );
    }
    let bytes =
        |pictures: &HashMap<Subject, Bytes>| -> usize { pictures.values().map(Bytes::len).sum() };
    let held = bytes(&known.young) + bytes(&known.old);
    assert!((BYTES_MAX / 4..=BYTES_MAX).contains(&held), "{held}");
    assert_eq!(bytes(&known.young), known.young_bytes);
}

use super::*;

#[test]
fn a_name_has_2_to_20_letters_digits_and_dashes() {
    for good in [
        "ab",
        "A-b_9",
        "player_42",
        "abcdefghijklmnopqrst",
        "--",
        "botany",
        "guests",
    ] {
        assert!(check(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "a",
        "abcdefghijklmnopqrstu",
        "a b",
        "a.b",
        "é9",
        "a\0b",
        "name\n",
        "Ω_omega",
        "a/b",
    ] {
        let error = check(bad).unwrap_err();
        assert_eq!(
            (error.status().as_u16(), error.code),
            (422, "bad_username"),
            "{bad}"
        );
    }
}

#[test]
fn some_names_are_reserved_in_whatever_case() {
    for bad in [
        "admin",
        "Admin",
        "ARBITER",
        "bot-1",
        "Bot-x",
        "guest-a",
        "Deleted-7",
    ] {
        assert_eq!(check(bad).unwrap_err().code, "bad_username", "{bad}");
    }
}

#[test]
fn a_guest_is_always_seen_to_be_one() {
    let none = for_guest(None);
    assert_eq!(none.len(), 14);
    for wish in [
        "Bob",
        "  Bob  ",
        "Magnus Carlsen the Great",
        "Łukasz",
        "日本",
        "",
        "a/../b",
    ] {
        let name = for_guest(Some(wish));
        assert!(
            name.starts_with("guest-") && name.len() <= NAME_MAX,
            "{wish}: {name}"
        );
        assert!(name.bytes().all(is_name_byte), "{wish}: {name}");
    }
    assert!(for_guest(Some("Bob")).starts_with("guest-Bob-"));
    assert!(for_guest(Some("日本")).len() == 14);
}

#[test]
fn an_outside_name_is_tried_as_it_is_and_then_with_suffixes() {
    let names: Vec<_> = for_outside(Some("Ann")).take(3).collect();
    assert_eq!(names[0], "Ann");
    assert!(
        names[1].starts_with("Ann-") && names[1] != names[2],
        "{names:?}"
    );
    for bad in [None, Some("admin"), Some("a b"), Some("bot-1"), Some("")] {
        let name = for_outside(bad).next().unwrap();
        assert!(name.starts_with("player-"), "{bad:?}: {name}");
    }
    for name in for_outside(Some("abcdefghijklmnopqrst")).take(4) {
        assert!(check(&name).is_ok(), "{name}");
    }
}

#[test]
fn a_deleted_account_leaves_a_name_that_fits() {
    let last = PlayerId::new(u32::MAX).unwrap();
    assert!(for_deleted(last).len() <= NAME_MAX);
}

//! What the pictures and the text promise.

use resvg::tiny_skia::Pixmap;
use resvg::usvg::roxmltree::{Document, Node};

use super::*;
use chess::rules::{Spelled, Start, Variant};

fn board(variant: Variant, fen: &str) -> Board {
    Board::start(variant, &Start::Fen(fen.into())).unwrap()
}

fn usual() -> Board {
    Board::start(Variant::Standard, &Start::Usual).unwrap()
}

/// The pieces of a picture, each as `wK 400 700`.
fn drawn(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let piece = |node: Node<'_, '_>| {
        let at = |name| node.attribute(name).unwrap_or_default().to_owned();
        format!("{} {} {}", &at("href")[1..], at("x"), at("y"))
    };
    let uses = document.descendants().filter(|n| n.has_tag_name("use"));
    uses.map(piece).collect()
}

#[test]
fn all_twelve_pieces_are_drawn_where_they_stand() {
    let drawn = drawn(&svg(&BoardView::new(&usual())));
    assert_eq!(drawn.len(), 32);
    for piece in [
        "wR 0 700",
        "wN 100 700",
        "wB 200 700",
        "wQ 300 700",
        "wK 400 700",
        "wP 0 600",
        "bR 0 0",
        "bN 100 0",
        "bB 200 0",
        "bQ 300 0",
        "bK 400 0",
        "bP 0 100",
    ] {
        assert!(drawn.contains(&piece.to_owned()), "{piece}");
    }
}

#[test]
fn black_looks_from_the_other_side() {
    let board = usual();
    let view = BoardView {
        orientation: Color::Black,
        last_move: Some((Square::A8, Square::A8)),
        ..BoardView::new(&board)
    };
    let svg = svg(&view);
    let drawn = drawn(&svg);
    assert!(drawn.contains(&"bK 300 700".to_owned()));
    assert!(drawn.contains(&"wR 700 0".to_owned()));
    assert!(svg.contains(r#"<rect x="700" y="700""#), "a8 is marked");
}

#[test]
fn a_picture_is_plain_shapes_and_refers_to_nothing_outside() {
    let checked = board(
        Variant::Standard,
        "rnb1kbnr/pppp1ppp/8/4p3/5P1q/8/PPPPP1PP/RNBQKBNR w KQkq - 1 3",
    );
    for theme in [Theme::Brown, Theme::Blue, Theme::Green, Theme::Grey] {
        let svg = svg(&BoardView {
            theme,
            ..BoardView::new(&checked)
        });
        let document = Document::parse(&svg).unwrap();
        let known = [
            "svg",
            "title",
            "defs",
            "radialGradient",
            "stop",
            "g",
            "path",
            "rect",
            "use",
        ];
        for node in document.descendants().filter(Node::is_element) {
            assert!(known.contains(&node.tag_name().name()), "{node:?}");
            for attribute in node.attributes() {
                let (name, value) = (attribute.name(), attribute.value());
                assert!(!name.starts_with("on") && name != "style", "{name}");
                assert!(name != "href" || value.starts_with('#'), "{value}");
                assert!(
                    !value.contains("//") && !value.contains("script"),
                    "{value}"
                );
            }
        }
        assert!(
            svg.contains(r#"<rect x="400" y="700" width="100" height="100" fill="url(#check)"/>"#)
        );
    }
}

#[test]
fn coordinates_may_be_left_out() {
    let board = usual();
    let with = BoardView::new(&board);
    let without = BoardView {
        coordinates: false,
        ..with.clone()
    };
    let signs = |view| svg(view).matches("translate(").count();
    assert_eq!((signs(&with), signs(&without)), (16, 0));
}

#[test]
fn pockets_and_checks_make_the_picture_wider() {
    let size = |board: &Board| {
        let svg = svg(&BoardView::new(board));
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        let of = |name| root.attribute(name).unwrap().to_owned();
        (of("width"), of("height"), drawn(&svg))
    };
    let pocket = board(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[Qnn] w - - 0 1");
    let (width, height, pieces) = size(&pocket);
    assert_eq!((width.as_str(), height.as_str()), ("552", "480"));
    assert!(pieces.iter().any(|p| p.starts_with("wQ")));
    assert!(pieces.iter().any(|p| p.starts_with("bN")));
    let three = Board::start(Variant::ThreeCheck, &Start::Usual).unwrap();
    assert_eq!(size(&three).0, "552");
    assert_eq!(size(&usual()).0, "480");
}

#[test]
fn a_png_has_the_size_that_was_asked_for_within_the_limits() {
    let board = usual();
    for (asked, edge) in [(0, 160), (160, 160), (333, 333), (480, 480), (5000, 1080)] {
        let png = png(&BoardView {
            size: asked,
            ..BoardView::new(&board)
        });
        assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((number(16), number(20)), (edge, edge));
    }
}

#[test]
fn the_same_view_gives_the_same_bytes() {
    let board = usual();
    let view = BoardView::new(&board);
    assert_eq!(svg(&view), svg(&view));
    assert_eq!(png(&view), png(&view));
}

#[test]
fn the_png_shows_what_the_svg_says() {
    let board = usual();
    let view = BoardView {
        coordinates: false,
        ..BoardView::new(&board)
    };
    let picture = Pixmap::decode_png(&png(&view)).unwrap();
    let color = |x, y| {
        let pixel = picture.pixel(x, y).unwrap();
        (pixel.red(), pixel.green(), pixel.blue())
    };
    assert_eq!(color(30, 210), (0xb4, 0x87, 0x63), "a5 is empty and dark");
    assert_eq!(color(30, 270), (0xf1, 0xdc, 0xbb), "a4 is empty and light");
    assert_eq!(color(30, 380), (0xff, 0xfd, 0xf9), "a white pawn on a2");
    assert_eq!(color(30, 80), (0x3b, 0x36, 0x34), "a black pawn on a7");
}

#[test]
fn a_move_is_marked_where_the_eye_looks_for_it() {
    let marked = |variant, fen, spelled: &str| {
        let board = board(variant, fen);
        let m = board.resolve(Spelled::read(spelled).unwrap()).unwrap();
        let (from, to) = squares_of(m);
        format!("{from} {to}")
    };
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(marked(Variant::Standard, castling, "a1a7"), "a1 a7");
    assert_eq!(marked(Variant::Standard, castling, "O-O"), "e1 g1");
    assert_eq!(marked(Variant::Chess960, castling, "e1a1"), "e1 c1");
    let pocket = "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1";
    assert_eq!(marked(Variant::Crazyhouse, pocket, "N@f3"), "f3 f3");
}

#[test]
fn the_king_in_check_is_marked_where_there_is_one() {
    let checked = board(Variant::Standard, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert_eq!(BoardView::new(&checked).check, Some(Square::E1));
    let quiet = board(Variant::Standard, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!(BoardView::new(&quiet).check, None);
    let horde = Board::start(Variant::Horde, &Start::Usual).unwrap();
    assert_eq!(BoardView::new(&horde).check, None);
}

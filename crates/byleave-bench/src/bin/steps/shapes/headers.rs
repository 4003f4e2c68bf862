//! Adversarial header fields, contents of META tags, and snippets.

use super::{Shape, filled};
use crate::operations::Input;
use byleave_testing::checks::header_pieces::PIECES;

/// The size of the smallest value in bytes.
const SIZE: usize = 16_000;

pub fn shapes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for piece in PIECES {
        let value = move |start: &'static str| {
            move |size: usize| Input::Value(format!("{start}{}", piece.repeat(size / piece.len())))
        };
        shapes.push(Shape::new(format!("header: {piece:?}"), SIZE, value("")));
        shapes.push(Shape::new(format!("header: {piece:?} in a string"), SIZE, value("a;noindex, \"")));
        shapes.push(Shape::new(format!("header: {piece:?} in a date"), SIZE, value("unavailable_after: ")));
    }
    shapes.extend([
        Shape::new("header: members of many names", SIZE, |size| {
            Input::Value(filled("", size, |n| format!("n{n};noindex;max-snippet={n},")))
        }),
        Shape::new("header: names in parentheses with rules", SIZE, |size| {
            Input::Value(format!("({}){}, *;nosnippet", "a ".repeat(size / 4), ";noindex".repeat(size / 16)))
        }),
        Shape::new("header: lines", SIZE, |size| {
            let lines = "Robots-Tag: a;noindex\nX-Robots-Tag: b: noindex\n nofollow\nno field\n";
            Input::Response(lines.repeat(size / lines.len()).into_bytes())
        }),
        Shape::new("header: lines of one field", SIZE, |size| {
            Input::Response("X-Robots-Tag: noindex\r\n".repeat(size / 23).into_bytes())
        }),
        Shape::new("header: lines of another field", SIZE, |size| {
            Input::Response(filled("HTTP/1.1 200 OK\r\n", size, |n| format!("A{n}: b\r\n")).into_bytes())
        }),
        Shape::new("header: a folded line", SIZE, |size| {
            Input::Response(format!("X-Robots-Tag: a{}", "\r\n b".repeat(size / 4)).into_bytes())
        }),
        Shape::new("response: many in a row", SIZE, |size| {
            Input::Response("HTTP/1.1 100 Continue\r\nA: b\r\n\r\n".repeat(size / 31).into_bytes())
        }),
        Shape::new("response: chunks", SIZE, |size| {
            let chunks = "1\r\na\r\n".repeat(size / 6);
            Input::Response(format!("Transfer-Encoding: chunked\r\n\r\n{chunks}").into_bytes())
        }),
        Shape::new("header: lines that are not headers", SIZE, |size| Input::Response(b"\n".repeat(size))),
        Shape::new("snippet: words", SIZE, |size| Input::Snippet("a b\n".repeat(size / 4))),
        Shape::new("snippet: one word", SIZE, |size| Input::Snippet("é".repeat(size / 2))),
        Shape::new("snippet: blanks", SIZE, |size| Input::Snippet(" ".repeat(size))),
    ]);
    shapes
}

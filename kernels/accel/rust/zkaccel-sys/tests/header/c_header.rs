//! What the header declares, by a reading of its text that knows as much C as the header uses.

use std::{collections::BTreeSet, fs, path::PathBuf};

/// The folder that C programs include from.
pub(crate) fn include_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../include")
}

/// All files of the header as one text, without comments.
pub(crate) fn text() -> String {
    let folder = include_folder().join("zkaccel");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| without_comments(&fs::read_to_string(path).unwrap())).collect()
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once("*/").unwrap().1)
}

/// The names of all functions.
pub(crate) fn functions(header: &str) -> BTreeSet<String> {
    let code = without_directives(header);
    code.split("ZKA_API").skip(1).map(|declaration| last_word(before(declaration, "("))).collect()
}

/// The names of all enumerators, and of all macros that are numbers.
pub(crate) fn constants(header: &str) -> BTreeSet<String> {
    let code = without_directives(header);
    let enumerators = code.split("enum").skip(1).flat_map(|declaration| {
        let body = before(declaration.split_once('{').unwrap().1, "}");
        body.split(',').map(|item| last_word(before(item, "="))).collect::<Vec<_>>()
    });
    let numbers = header.lines().filter_map(|line| {
        let (name, value) = line.strip_prefix("#define ")?.split_once(' ')?;
        value.starts_with(|first: char| first.is_ascii_digit()).then(|| name.to_owned())
    });
    enumerators.chain(numbers).collect()
}

/// The names of all types but the opaque ones' tags.
pub(crate) fn types(header: &str) -> BTreeSet<String> {
    without_bodies(&without_directives(header))
        .split(';')
        .filter(|declaration| declaration.trim_start().starts_with("typedef"))
        .map(last_word)
        .collect()
}

/// All structures with their fields in order, as "name.field".
pub(crate) fn fields(header: &str) -> BTreeSet<String> {
    let code = without_directives(header);
    let structures = code.split("typedef struct {").skip(1).map(|rest| rest.split_once('}').unwrap());
    structures
        .flat_map(|(body, after)| {
            let name = before(after, ";").trim().to_owned();
            let declared = body.split(';').flat_map(|field| field.split(',')).map(|field| before(field, "["));
            declared
                .filter(|field| !field.trim().is_empty())
                .map(|field| format!("{name}.{}", last_word(field).trim_start_matches('*')))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn without_directives(header: &str) -> String {
    header.lines().filter(|line| !line.starts_with('#')).flat_map(|line| [line, "\n"]).collect()
}

fn without_bodies(code: &str) -> String {
    let mut parts = code.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').unwrap().1)
}

fn before<'a>(text: &'a str, end: &str) -> &'a str {
    text.split_once(end).map_or(text, |(start, _)| start)
}

fn last_word(text: &str) -> String {
    text.split_whitespace().last().unwrap_or_default().to_owned()
}

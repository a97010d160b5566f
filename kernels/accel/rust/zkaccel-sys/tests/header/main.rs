//! The declarations of this crate are those of the header: all of them, and to the last type.
// What is not as these readers of text expect it fails the test, wherever it is.
#![allow(clippy::unwrap_used)]

mod c_header;
mod c_program;
mod declarations;

use std::collections::BTreeSet;

fn difference(header: &BTreeSet<String>, ours: &BTreeSet<String>) -> Vec<String> {
    header.symmetric_difference(ours).cloned().collect()
}

#[test]
fn no_function_constant_type_or_field_of_the_header_is_missing_and_none_is_added() {
    let (header, text) = (c_header::text(), declarations::text());
    let functions = declarations::functions(&text).into_iter().map(|function| function.name).collect();
    let constants = declarations::constants(&text).into_iter().map(|[name, _, _]| name).collect();
    let aliases = declarations::aliases(&text).into_iter().map(|[name, _]| name);
    let layouts = declarations::layouts();
    let structures = layouts.iter().map(|layout| layout.name.to_owned());
    let types = aliases.chain(declarations::opaque_types(&text)).chain(structures).collect();
    let fields = layouts
        .iter()
        .flat_map(|layout| layout.fields.iter().map(move |field| format!("{}.{}", layout.name, field.name)))
        .collect();
    assert_eq!(difference(&c_header::functions(&header), &functions), [""; 0]);
    assert_eq!(difference(&c_header::constants(&header), &constants), [""; 0]);
    assert_eq!(difference(&c_header::types(&header), &types), [""; 0]);
    assert_eq!(difference(&c_header::fields(&header), &fields), [""; 0]);
    assert!(functions.len() > 40 && constants.len() > 40 && types.len() > 15 && fields.len() > 20);
}

#[test]
fn what_a_header_gains_is_found() {
    let gained = "#define ZKA_LEVEL 3\ntypedef enum ZKA_UINT { ZKA_A = 0, ZKA_B = 1 } zka_new;\n\
                  typedef struct {\n  zka_fe x, *y;\n  uint64_t z[2];\n} zka_pair;\ntypedef struct zka_tag zka_tag;\n\
                  ZKA_API zka_status zka_call(zka_ctx* ctx,\n  zka_pair* out);\n";
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(c_header::functions(gained), set(&["zka_call"]));
    assert_eq!(c_header::constants(gained), set(&["ZKA_A", "ZKA_B", "ZKA_LEVEL"]));
    assert_eq!(c_header::types(gained), set(&["zka_new", "zka_pair", "zka_tag"]));
    assert_eq!(c_header::fields(gained), set(&["zka_pair.x", "zka_pair.y", "zka_pair.z"]));
}

#[test]
fn a_c_compiler_finds_every_declaration_the_same_and_the_library_has_every_function() {
    let text = declarations::text();
    let program = c_program::for_declarations(&text, &declarations::layouts());
    let output = c_program::run("declarations", &program).unwrap();
    let functions = declarations::functions(&text).len();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{functions}\n"));
}

#[test]
fn a_c_compiler_refuses_a_declaration_that_differs() {
    let text = declarations::text();
    let changes = [
        ("n: usize, out: *mut *mut zka_buf", "n: u32, out: *mut *mut zka_buf"),
        (
            "pub fn zka_buf_len(buf: *const zka_buf) -> usize",
            "pub fn zka_buf_len(buf: *mut zka_buf) -> usize",
        ),
        ("pub fn zka_abi_version() -> u32", "pub fn zka_abi_version() -> u64"),
        ("ZKA_E_REMAINDER: zka_status = -14", "ZKA_E_REMAINDER: zka_status = -15"),
        ("pub type zka_form = u32", "pub type zka_form = c_int"),
    ];
    for (number, (declared, changed)) in changes.into_iter().enumerate() {
        assert!(text.contains(declared), "{declared}");
        let program = c_program::for_declarations(&text.replace(declared, changed), &declarations::layouts());
        assert!(c_program::run(&format!("changed-{number}"), &program).is_err(), "{changed}");
    }
    let mut layouts = declarations::layouts();
    layouts[0].fields[1].of_type = "i32";
    assert!(c_program::run("changed-type", &c_program::for_declarations(&text, &layouts)).is_err());
    layouts[0].fields[1].of_type = "u32";
    layouts[0].fields[1].offset = 8;
    assert!(c_program::run("changed-offset", &c_program::for_declarations(&text, &layouts)).is_err());
}

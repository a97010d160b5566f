//! A C program that compiles if and only if the header agrees with what this crate declares: each function is declared
//! once more as Rust has it, which C allows with the very same types only; each value, size, offset and type of a field
//! is asserted. Linked, it names every function, so that the library has them all.

use std::{
    fmt::Write,
    fs,
    path::Path,
    process::{Command, Output},
};

use crate::{
    c_header::include_folder,
    declarations::{self, Layout},
};

/// The program for the declarations in `text`, and for layouts as the Rust compiler has them.
pub(crate) fn for_declarations(text: &str, layouts: &[Layout]) -> String {
    let mut program = String::from("#include <stddef.h>\n#include <stdio.h>\n#include <zkaccel.h>\n");
    let mut put = |line: String| writeln!(program, "{line}").unwrap();
    for [name, of_type] in declarations::aliases(text) {
        let sign = if of_type == "c_int" { "<" } else { ">" };
        put(format!("_Static_assert(sizeof({name}) == 4 && ({name})-1 {sign} 0, \"{name}\");"));
    }
    for [name, _, value] in declarations::constants(text) {
        put(format!("_Static_assert({name} == {value}, \"{name}\");"));
    }
    for Layout { name, size, align, fields } in layouts {
        put(format!("_Static_assert(sizeof({name}) == {size} && _Alignof({name}) == {align}, \"{name}\");"));
        for field in fields {
            let (of_type, offset) = (c_type(field.of_type), field.offset);
            let field = format!("{name}, {}", field.name);
            put(format!("_Static_assert(offsetof({field}) == {offset}, \"{field}\");"));
            let declared = format!("__typeof__((({name}*)0)->{})", field.rsplit(' ').next().unwrap());
            put(format!("_Static_assert(__builtin_types_compatible_p({declared}, {of_type}), \"{field}\");"));
        }
    }
    let functions = declarations::functions(text);
    for function in &functions {
        let arguments: Vec<_> = function.arguments.iter().map(|of_type| c_type(of_type)).collect();
        let arguments = if arguments.is_empty() { "void".to_owned() } else { arguments.join(", ") };
        let result = function.result.as_deref().map_or("void".to_owned(), c_type);
        put(format!("{result} {}({arguments});", function.name));
    }
    put("static void (*const functions[])(void) = {".to_owned());
    for function in &functions {
        put(format!("  (void (*)(void)){},", function.name));
    }
    put("};\nint main(void) {\n  size_t there = 0;".to_owned());
    put("  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) there += functions[i] != NULL;"
        .to_owned());
    put("  return printf(\"%zu\\n\", there) < 0;\n}".to_owned());
    program
}

/// What C calls a type of Rust's.
fn c_type(rust: &str) -> String {
    if let Some(to) = rust.strip_prefix("*const ") {
        return c_type(to) + " const*";
    }
    if let Some(to) = rust.strip_prefix("*mut ") {
        return c_type(to) + "*";
    }
    if let Some((element, length)) = rust.strip_prefix('[').and_then(|array| array.split_once("; ")) {
        return format!("{}[{length}", c_type(element));
    }
    let name = rust.rsplit("::").next().unwrap();
    let known = [
        ("u32", "uint32_t"),
        ("i32", "int32_t"),
        ("u64", "uint64_t"),
        ("usize", "size_t"),
        ("c_int", "int"),
        ("c_char", "char"),
        ("c_void", "void"),
    ];
    known.iter().find(|(rust, _)| *rust == name).map_or(name, |(_, c)| c).to_owned()
}

/// Compiles `program`, links it with the library and runs it. What the compiler says is an error.
pub(crate) fn run(name: &str, program: &str) -> Result<Output, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
    fs::write(&source, program).unwrap();
    let library = env!("ZKACCEL_LINKED_FOLDER");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-cast-function-type", "-I"])
        .arg(include_folder())
        .arg(source)
        .args([
            format!("-L{library}"),
            format!("-Wl,-rpath,{library}"),
            "-lzkaccel".to_owned(),
            "-o".to_owned(),
        ])
        .arg(&binary)
        .output()
        .unwrap();
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    Ok(Command::new(binary).output().unwrap())
}

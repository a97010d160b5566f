//! What this crate declares: functions, constants and names of types from its text, layouts from the compiler.

use std::{
    any::type_name,
    fs,
    mem::{align_of, offset_of, size_of},
    path::Path,
};

use zkaccel_sys::*;

/// The text of all modules, without comments, its white space single.
pub(crate) fn text() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text: String = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

pub(crate) struct Function {
    pub(crate) name: String,
    /// Types alone.
    pub(crate) arguments: Vec<String>,
    /// None where it returns nothing.
    pub(crate) result: Option<String>,
}

pub(crate) fn functions(text: &str) -> Vec<Function> {
    text.split("pub fn ")
        .skip(1)
        .map(|declaration| {
            let (name, rest) = declaration.split_once('(').unwrap();
            let (arguments, rest) = rest.split_once(')').unwrap();
            let arguments = arguments.split(',').filter_map(|argument| argument.split_once(": "));
            let result = rest.split_once(';').unwrap().0.trim().strip_prefix("-> ");
            Function {
                name: name.to_owned(),
                arguments: arguments.map(|(_, of_type)| of_type.trim().to_owned()).collect(),
                result: result.map(str::to_owned),
            }
        })
        .collect()
}

/// All constants: name, type, value.
pub(crate) fn constants(text: &str) -> Vec<[String; 3]> {
    text.split("pub const ")
        .skip(1)
        .map(|declaration| {
            let (name, rest) = declaration.split_once(": ").unwrap();
            let (of_type, rest) = rest.split_once(" = ").unwrap();
            [name, of_type, rest.split_once(';').unwrap().0].map(str::to_owned)
        })
        .collect()
}

/// All names for numbers: name, type.
pub(crate) fn aliases(text: &str) -> Vec<[String; 2]> {
    let aliases = text.split("pub type ").skip(1);
    aliases
        .map(|alias| {
            let (name, rest) = alias.split_once(" = ").unwrap();
            [name, rest.split_once(';').unwrap().0].map(str::to_owned)
        })
        .collect()
}

pub(crate) fn opaque_types(text: &str) -> Vec<String> {
    let lists = text.split("opaque! { ").skip(1).map(|rest| rest.split_once('}').unwrap().0);
    let names = lists.flat_map(|list| list.split(';')).map(str::trim);
    names.filter(|name| name.starts_with("zka_")).map(str::to_owned).collect()
}

pub(crate) struct Layout {
    pub(crate) name: &'static str,
    pub(crate) size: usize,
    pub(crate) align: usize,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) offset: usize,
    pub(crate) of_type: &'static str,
}

fn field_type<S, F>(_: fn(&S) -> &F) -> &'static str {
    type_name::<F>()
}

macro_rules! layouts {
    ($($name:ident { $($field:ident),* })*) => {
        vec![$(Layout {
            name: stringify!($name),
            size: size_of::<$name>(),
            align: align_of::<$name>(),
            fields: vec![$(Field {
                name: stringify!($field),
                offset: offset_of!($name, $field),
                of_type: field_type(|of: &$name| &of.$field),
            }),*],
        }),*]
    };
}

pub(crate) fn layouts() -> Vec<Layout> {
    layouts! {
        zka_config { abi_version, backend, device, threads, isa, reserved, host_bytes_max, device_bytes_max }
        zka_memory { host_bytes, host_bytes_peak, device_bytes, device_bytes_peak }
        zka_fe { l }
        zka_affine { x, y }
        zka_jacobian { x, y, z }
        zka_operand { source, index, rotation }
        zka_insn { op, dst, a, b, c }
        zka_program_desc { code, ncode, consts, nconsts, ncolumns, nchallenges, nregisters, field }
    }
}

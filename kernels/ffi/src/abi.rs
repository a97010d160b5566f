//! The exported functions. `include/elastic_ffi.h` documents them for callers; here is why each is sound.
#![allow(unsafe_code)]

use std::{
    any::Any,
    ffi::{CStr, c_char},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::null_mut,
    slice,
    sync::atomic::AtomicU32,
};

use crate::{
    control::Control,
    failure::{Failure, Status},
    provers::{available, find},
    test_provers,
};

/// The version of the ABI, counted up by every change that a caller could notice.
const VERSION: u32 = 1;

/// The version of the ABI.
#[unsafe(no_mangle)]
pub extern "C" fn elastic_ffi_version() -> u32 {
    VERSION
}

/// Makes the provers `noop`, `clock`, `echo`, `sleep` and `crash` exist in this process.
#[unsafe(no_mangle)]
pub extern "C" fn elastic_enable_test_provers() {
    test_provers::enable();
}

/// Writes the names of all available provers as a JSON array of strings.
///
/// # Safety
///
/// `output` and `output_len` are null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elastic_prover_names(output: *mut *mut u8, output_len: *mut usize) -> i32 {
    let call = || {
        let names: Vec<_> = available().map(|builtin| format!("{:?}", builtin.name)).collect();
        Ok(format!("[{}]", names.join(",")).into_bytes())
    };
    // SAFETY: the caller's promise about both pointers is handed on.
    unsafe { respond(output, output_len, call) }
}

/// Gets a prover ready, which is when its first proof will not wait for keys.
///
/// # Safety
///
/// `name` is null or a string that ends in NUL; `output` and `output_len` are null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elastic_prover_ready(
    name: *const c_char,
    output: *mut *mut u8,
    output_len: *mut usize,
) -> i32 {
    let call = || {
        // SAFETY: the caller's promise about `name`.
        let builtin = find(unsafe { read_name(name) }?)?;
        (builtin.prepare)()?;
        Ok(Vec::new())
    };
    // SAFETY: the caller's promise about both pointers is handed on.
    unsafe { respond(output, output_len, call) }
}

/// Proves one input.
///
/// # Safety
///
/// `name` is null or a string that ends in NUL; `input` is valid for `input_len` bytes and unchanged until the
/// call returns; `progress_millionths` and `cancel` are null or words that live until then and that others
/// touch atomically only; `output` and `output_len` are null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elastic_prove(
    name: *const c_char,
    input: *const u8,
    input_len: usize,
    progress_millionths: *mut u32,
    cancel: *const u32,
    output: *mut *mut u8,
    output_len: *mut usize,
) -> i32 {
    let call = || {
        // SAFETY: the caller's promises about `name`, `input` and the two words.
        let (name, input, control) = unsafe {
            let control = Control::new(word(progress_millionths)?, word(cancel.cast_mut())?);
            (read_name(name)?, read_input(input, input_len)?, control)
        };
        (find(name)?.prove)(input, control)
    };
    // SAFETY: the caller's promise about both pointers is handed on.
    unsafe { respond(output, output_len, call) }
}

/// Gives an output back.
///
/// # Safety
///
/// `output` and `output_len` are a pair that a call of this library wrote, released at most once; or null
/// and any length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elastic_free(output: *mut u8, output_len: usize) {
    if !output.is_null() {
        // SAFETY: `respond` made it from a boxed slice of this length.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(output, output_len)) });
    }
}

/// Runs a call, keeps its panics here, and writes what it returned or why it did not.
///
/// # Safety
///
/// Both pointers are null or valid for a write.
unsafe fn respond(
    output: *mut *mut u8,
    output_len: *mut usize,
    call: impl FnOnce() -> Result<Vec<u8>, Failure>,
) -> i32 {
    if output.is_null() || output_len.is_null() {
        return Status::InvalidArgument as i32;
    }
    // Nothing that the call touched is looked at again after a panic, but for the keys, which are set at once.
    let returned = catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|panic| Err(Failure::new(Status::Panic, panic_message(panic.as_ref()))));
    let (status, bytes) = match returned {
        Ok(bytes) => (Status::Ok, bytes),
        Err(failure) => (failure.status, failure.message.into_bytes()),
    };
    let len = bytes.len();
    let start = if bytes.is_empty() { null_mut() } else { Box::into_raw(bytes.into_boxed_slice()).cast() };
    // SAFETY: both are valid for a write, and checked not to be null.
    unsafe {
        output.write(start);
        output_len.write(len);
    }
    status as i32
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("the prover panicked: {}", text.unwrap_or("without a message"))
}

/// # Safety
///
/// `name` is null or ends in NUL, and lives for `'a`.
unsafe fn read_name<'a>(name: *const c_char) -> Result<&'a str, Failure> {
    if name.is_null() {
        return Err(Failure::new(Status::InvalidArgument, "the name is null"));
    }
    // SAFETY: it ends in NUL.
    let name = unsafe { CStr::from_ptr(name) };
    name.to_str().map_err(|_| Failure::new(Status::InvalidArgument, "the name is not UTF-8"))
}

/// # Safety
///
/// `input` is valid for `len` bytes and unchanged for `'a`.
unsafe fn read_input<'a>(input: *const u8, len: usize) -> Result<&'a [u8], Failure> {
    match (input.is_null(), len) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::new(Status::InvalidArgument, "the input is null and its length is not 0")),
        // SAFETY: it is valid for `len` bytes.
        (false, _) => Ok(unsafe { slice::from_raw_parts(input, len) }),
    }
}

/// # Safety
///
/// `word` is null or lives for `'a`, and others touch it atomically only.
unsafe fn word<'a>(word: *mut u32) -> Result<Option<&'a AtomicU32>, Failure> {
    if word.is_null() {
        return Ok(None);
    }
    if !word.is_aligned() {
        return Err(Failure::new(Status::InvalidArgument, "a shared word is not aligned to 4 bytes"));
    }
    // SAFETY: it is not null, is aligned, and lives for `'a`.
    Ok(Some(unsafe { AtomicU32::from_ptr(word) }))
}

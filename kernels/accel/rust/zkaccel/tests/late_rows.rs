//! A backend that writes the row of a failed lookup only at the sync, as one for GPUs may, finds its place there, also
//! where the scope panics. Two functions of the library are this file's own, by their names, for such a backend.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::null_mut,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::SeqCst},
};

use zkaccel::{Backend, Buffer, Config, Context, PermuteOrder, Status, Stream, limbs::Fr};
use zkaccel_sys as sys;

/// Where a lookup on the stream is to write; null where none is under way.
static ROW: AtomicPtr<u64> = AtomicPtr::new(null_mut());
static IS_FREED: AtomicBool = AtomicBool::new(false);
static ROWS_WRITTEN: AtomicUsize = AtomicUsize::new(0);

/// Watches that place.
struct Watching;

// SAFETY: all of it is the system's.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if memory.cast() == ROW.load(SeqCst) {
            IS_FREED.store(true, SeqCst);
        }
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static MEMORY: Watching = Watching;

#[unsafe(no_mangle)]
extern "C" fn zka_permute_pair(
    _a: *const sys::zka_buf,
    _s: *const sys::zka_buf,
    _usable: usize,
    _order: sys::zka_permute_order,
    _a_out: *mut sys::zka_buf,
    _s_out: *mut sys::zka_buf,
    bad_row: *mut u64,
    _stream: *mut sys::zka_stream,
) -> sys::zka_status {
    ROW.store(bad_row, SeqCst);
    sys::ZKA_OK
}

#[unsafe(no_mangle)]
extern "C" fn zka_stream_sync(_stream: *mut sys::zka_stream) -> sys::zka_status {
    let row = ROW.swap(null_mut(), SeqCst);
    if row.is_null() {
        return sys::ZKA_OK;
    }
    if !IS_FREED.swap(false, SeqCst) {
        // SAFETY: it has not been freed.
        unsafe { row.write(7) };
        ROWS_WRITTEN.fetch_add(1, SeqCst);
    }
    sys::ZKA_E_NOT_IN_TABLE
}

#[test]
fn a_row_that_is_written_at_the_sync_has_its_place_until_then() {
    let config = Config { backend: Backend::Cpu, threads: 1, ..Config::default() };
    let context = Context::new(&config).expect("the CPU is there");
    let [a, s, mut a_out, mut s_out] = [1; 4].map(|n| Buffer::<Fr>::new(&context, n).unwrap());
    let mut stream = Stream::new(&context).unwrap();
    let mut look_up = |panics: bool| {
        stream.scope(|queue| {
            queue.permute(&a, &s, 1, PermuteOrder::LastMeets, &mut a_out, &mut s_out)?;
            assert!(!panics, "in the scope");
            Ok(())
        })
    };
    let error = look_up(false).unwrap_err();
    assert_eq!((error.status(), error.bad_row()), (Status::NotInTable, Some(7)));
    assert!(catch_unwind(AssertUnwindSafe(|| look_up(true))).is_err());
    assert_eq!(ROWS_WRITTEN.load(SeqCst), 2);
}

//! The calls of the operating system that the standard library does not offer.
#![allow(unsafe_code)]

use std::{hint::black_box, io};

const SIGKILL: i32 = 9;
const SIGTERM: i32 = 15;
const SIG_IGN: usize = 1;

// SAFETY: these are POSIX, with the types that they have on Linux for x86-64.
unsafe extern "C" {
    fn fork() -> i32;
    fn pause() -> i32;
    fn kill(pid: i32, signal: i32) -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn signal(signal: i32, handler: usize) -> usize;
}

/// Ignores SIGTERM from now on.
pub fn ignore_terminate() {
    // SAFETY: ignoring a signal runs no handler.
    unsafe { signal(SIGTERM, SIG_IGN) };
}

/// A child that waits until it is killed.
pub struct Child(i32);

impl Child {
    /// Forks one.
    pub fn fork() -> io::Result<Self> {
        // SAFETY: the child calls nothing but `pause`, which is safe after a fork of a process with threads.
        match unsafe { fork() } {
            0 => loop {
                // SAFETY: it takes nothing.
                unsafe { pause() };
            },
            pid if pid > 0 => Ok(Self(pid)),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // SAFETY: the process is a child that has not been waited for, so its id is still its own.
        unsafe {
            kill(self.0, SIGKILL);
            waitpid(self.0, std::ptr::null_mut(), 0);
        }
    }
}

/// Writes where nothing is.
pub fn die_of_segmentation_fault() -> ! {
    let nowhere: *mut u8 = black_box(std::ptr::null_mut());
    // SAFETY: none. The write faults, which is its purpose; it is volatile so that it stays.
    unsafe { nowhere.write_volatile(1) };
    std::process::abort()
}

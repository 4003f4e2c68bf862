//! An allocator that counts allocated bytes and allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

pub struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static ASKED: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system allocator without changes. The only addition is the counters.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(held, Relaxed);
        ASKED.fetch_add(1, Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the heap size of the value that `make` returns, and the number of allocations that `make` needs. If the
/// value is a `Vec`, the size includes its buffer.
pub fn of<T>(make: impl FnOnce() -> T) -> (usize, usize) {
    let before = (HELD.load(Relaxed), ASKED.load(Relaxed));
    let made = make();
    let after = (HELD.load(Relaxed), ASKED.load(Relaxed));
    drop(made);
    (after.0.saturating_sub(before.0), after.1 - before.1)
}

/// Returns the peak heap size while `make` runs.
pub fn most<T>(make: impl FnOnce() -> T) -> usize {
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    drop(make());
    MOST.load(Relaxed).saturating_sub(before)
}

//! Counting what a piece of work takes, without a clock: how often regions of code were run, and how many bytes of
//! memory were asked for.
//!
//! `-C instrument-coverage` gives every region of every crate that is compiled so a counter, and no loop is without
//! one. The standard library comes compiled: its own loops are not counted, only what they call of ours. Most of
//! what it could do too often, such as copying, asks for memory, which is why that is counted too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What some work took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often regions of code were run.
    pub steps: u64,
    /// How many bytes of memory were asked for.
    pub bytes: u64,
}

impl Sub for Count {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self { steps: self.steps - before.steps, bytes: self.bytes - before.bytes }
    }
}

/// Does the work, and counts what it takes.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, Count) {
    let before = now();
    let done = work();
    (done, now() - before)
}

/// Whether steps are counted in this build: a loop of a thousand turns must show.
pub fn are_there() -> bool {
    const TURNS: u64 = 1000;
    let (_, taken) = count(|| {
        let mut turn = 0;
        while black_box(turn) < TURNS {
            turn += 1;
        }
    });
    taken.steps >= TURNS
}

fn now() -> Count {
    Count { steps: regions::run(), bytes: ASKED.load(Relaxed) }
}

#[cfg(target_os = "linux")]
mod regions {
    use std::hint::black_box;
    use std::sync::atomic::AtomicU64;

    // Where the counters lie is said by the linker, in two symbols that it makes for a section that is there. This one
    // counter of ours is always there, so that a build without others can be told from one with them.
    #[used]
    #[unsafe(link_section = "__llvm_prf_cnts")]
    static OURS: AtomicU64 = AtomicU64::new(0);

    unsafe extern "C" {
        #[link_name = "__start___llvm_prf_cnts"]
        static FIRST: AtomicU64;
        #[link_name = "__stop___llvm_prf_cnts"]
        static BEHIND: AtomicU64;
    }

    /// How often regions were run since the start of the program.
    pub(super) fn run() -> u64 {
        let (first, behind) = (black_box(&raw const FIRST), black_box(&raw const BEHIND));
        let counters = (behind.addr() - first.addr()) / size_of::<u64>();
        // SAFETY: the linker puts the section's counters, of eight bytes each, between its two symbols. This program has
        // one thread, and nothing that is counted runs while the slice is there: adding up is the standard library's.
        unsafe { std::slice::from_raw_parts(first.cast::<u64>(), counters) }.iter().sum()
    }
}

#[cfg(not(target_os = "linux"))]
mod regions {
    /// Where the counters lie is known for Linux only.
    pub(super) fn run() -> u64 {
        0
    }
}

/// An allocator that counts the bytes it is asked for.
pub struct Counting;

static ASKED: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is handed on to the system's allocator as it came; only a counter is added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(layout.size() as u64, Relaxed);
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps `dealloc`'s contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

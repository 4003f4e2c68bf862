//! Measures the cost of work without a clock: how often regions of code ran, and how many bytes were allocated.
//!
//! `-C instrument-coverage` adds a counter to every region of code in our crates, so every loop has one. The standard
//! library is precompiled, so its loops are not counted, but our closures that it calls are. Most expensive work in the
//! library, such as copying, allocates memory, so allocated bytes are counted too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::ops::Sub;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The cost of a piece of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often regions of code ran.
    pub steps: u64,
    /// The number of allocated bytes.
    pub bytes: u64,
}

impl Sub for Count {
    type Output = Self;

    fn sub(self, before: Self) -> Self {
        Self { steps: self.steps - before.steps, bytes: self.bytes - before.bytes }
    }
}

/// Does the work. Returns the result and the cost.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, Count) {
    let before = now();
    let done = work();
    (done, now() - before)
}

/// Returns whether this build counts steps. Checks this by running a loop of a thousand iterations.
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

    // The linker defines symbols for the start and the end of this section only if the section exists. This counter
    // ensures that the section exists, even in a build without other counters. Otherwise, such a build would not link.
    #[used]
    #[unsafe(link_section = "__llvm_prf_cnts")]
    static OURS: AtomicU64 = AtomicU64::new(0);

    unsafe extern "C" {
        #[link_name = "__start___llvm_prf_cnts"]
        static FIRST: AtomicU64;
        #[link_name = "__stop___llvm_prf_cnts"]
        static BEHIND: AtomicU64;
    }

    /// Returns how often regions ran since the start of the program.
    pub(super) fn run() -> u64 {
        let (first, behind) = (black_box(&raw const FIRST), black_box(&raw const BEHIND));
        let counters = (behind.addr() - first.addr()) / size_of::<u64>();
        // SAFETY: the section's counters, of eight bytes each, are between the two symbols. This program has one
        // thread. No counted code runs while the slice exists, because the sum is computed by code in the standard
        // library.
        unsafe { std::slice::from_raw_parts(first.cast::<u64>(), counters) }.iter().sum()
    }
}

#[cfg(not(target_os = "linux"))]
mod regions {
    /// Returns zero, because this program knows the position of the counters only on Linux.
    pub(super) fn run() -> u64 {
        0
    }
}

/// An allocator that counts allocated bytes.
pub struct Counting;

static ASKED: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system allocator without changes. The only addition is a counter.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.fetch_add(layout.size() as u64, Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

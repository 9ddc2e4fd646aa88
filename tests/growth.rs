//! Data of unknown length is not copied again and again, even if the allocator never grows memory in place;
//! and large memory is requested once.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use idx_std::{ErrorKind, IdxBuf, load, open};
use idx_tests::{file, gzip};

/// The system's allocator, except that growing copies, and that requests above `MOST` fail.
struct Copying;

/// The bytes that were copied.
static COPIED: AtomicUsize = AtomicUsize::new(0);

/// The requests for 1 MiB or more.
static LARGE: AtomicUsize = AtomicUsize::new(0);

const MOST: usize = 1 << 30;

// SAFETY: memory comes from the system's allocator, with the layout that is asked for, or not at all.
unsafe impl GlobalAlloc for Copying {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST {
            return std::ptr::null_mut();
        }
        LARGE.fetch_add(usize::from(layout.size() >= 1 << 20), Ordering::SeqCst);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST {
            return std::ptr::null_mut();
        }
        LARGE.fetch_add(usize::from(layout.size() >= 1 << 20), Ordering::SeqCst);
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let copied = layout.size().min(size);
        // SAFETY: the caller's promise; the new memory is separate.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                COPIED.fetch_add(copied, Ordering::SeqCst);
                new.copy_from_nonoverlapping(memory, copied);
                self.dealloc(memory, layout);
            }
            new
        }
    }
}

#[global_allocator]
static ALLOCATOR: Copying = Copying;

/// The tests of this file measure one process, so they take turns.
static TURN: Mutex<()> = Mutex::new(());

/// The bytes that `work` copied to grow memory, and the number of its large requests.
fn measure<R>(work: impl FnOnce() -> R) -> (R, usize, usize) {
    let before = [&COPIED, &LARGE].map(|count| count.load(Ordering::SeqCst));
    let result = work();
    let after = [&COPIED, &LARGE].map(|count| count.load(Ordering::SeqCst));
    (result, after[0] - before[0], after[1] - before[1])
}

#[test]
fn a_large_stream_is_copied_a_few_times() {
    let _turn = TURN.lock().unwrap();
    const SIZE: usize = 128 << 20;
    let stream = || {
        let header = file(0x08, &[128, 1 << 20], &[]);
        io::Cursor::new(header).chain(io::repeat(1).take(SIZE as u64))
    };
    let (buffer, copied, _) = measure(|| IdxBuf::from_reader(stream()).unwrap());
    assert_eq!(buffer.as_idx().payload().len(), SIZE);
    assert!(copied <= 5 * SIZE, "{copied}");
}

/// A gzip file of two members does not state its length: it is read twice, and never copied.
#[test]
fn numbers_of_unknown_length_are_not_copied() {
    let _turn = TURN.lock().unwrap();
    const SIZE: usize = 64 << 20;
    let plain = file(0x0C, &[SIZE as u32 / 4], &vec![0; SIZE]);
    let (one, two) = plain.split_at(SIZE / 2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers.gz");
    std::fs::write(&path, [gzip(one), gzip(two)].concat()).unwrap();
    let (numbers, copied, _) = measure(|| load::<i32>(&path).unwrap());
    assert_eq!(numbers.len(), SIZE / 4);
    assert!(copied < 1 << 20, "{copied}");
}

#[test]
fn memory_is_asked_for_once() {
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    std::fs::write(&path, file(0x08, &[8, 1 << 20], &vec![1; 8 << 20])).unwrap();
    let (buffer, copied, large) = measure(|| open(&path).unwrap());
    assert_eq!(buffer.header().record_count(), 8);
    assert_eq!(large, 1);
    assert!(copied < 1000, "{copied}");
}

/// Too little memory for a file is an error, and does not abort the process.
#[test]
fn too_little_memory_is_an_error() {
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sparse");
    let header = file(0x08, &[1, u32::MAX], &[]);
    std::fs::write(&path, &header).unwrap();
    let sparse = std::fs::File::options().write(true).open(&path).unwrap();
    sparse.set_len(header.len() as u64 + u64::from(u32::MAX)).unwrap();
    for error in [open(&path).unwrap_err(), load::<u8>(&path).unwrap_err()] {
        assert!(
            matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::OutOfMemory),
            "{error}"
        );
    }
}

//! A header's claim allocates no memory: readers take at most the actual bytes and 1 MiB, and a quarter more
//! for a large stream. The allocator counts this, and on Linux also the peak of the process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::{Compress, Compression, Crc, FlushCompress};
use idx_data::dataset::identify;
use idx_data::stats::Stats;
use idx_data::{Chance, CreateOptions, Error, Format, Labeled, OpenOptions, Record, open_pair};
use idx_std::{ElementType, ErrorKind, IdxBuf, IdxRecord, ReadOptions, Reader, load, open};
use idx_tests::{file, file_kind, gzip};

/// The constant that is added to the actual bytes.
const ALLOWANCE: usize = 1 << 20;

/// The library requests huge pages for a large file: an allocator that reuses such memory for a small file
/// holds a whole huge page.
const HUGE_PAGE: usize = 2 << 20;

/// The bytes of a file that are in memory besides what they are inflated to, by the ways to read it that do so
/// in one call.
fn compressed(name: &str, content: &[u8]) -> usize {
    let is_one_call = cfg!(feature = "libdeflate") && matches!(name, "open" | "load u8");
    if is_one_call { content.len() + 1 } else { 0 }
}

/// The system's allocator, counting the held bytes and their maximum.
struct Counting {
    held: AtomicUsize,
    peak: AtomicUsize,
}

impl Counting {
    fn grow(&self, size: usize) {
        let held = self.held.fetch_add(size, Ordering::SeqCst) + size;
        self.peak.fetch_max(held, Ordering::SeqCst);
    }

    fn shrink(&self, size: usize) {
        self.held.fetch_sub(size, Ordering::SeqCst);
    }
}

// SAFETY: everything is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.grow(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.shrink(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.shrink(layout.size());
        self.grow(size);
        // SAFETY: the caller's promise.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting { held: AtomicUsize::new(0), peak: AtomicUsize::new(0) };

/// The tests of this file measure one process, so they take turns.
static TURN: Mutex<()> = Mutex::new(());

/// The result of `work`, and the maximum of bytes that it held at a time: according to the allocator, and as
/// pages of the process if the system reports them.
fn measure<R>(work: impl FnOnce() -> R) -> (R, usize, usize) {
    // Resets the peak of the process to what it holds now; see proc(5).
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let resident = status("VmRSS");
    let held = ALLOCATOR.held.load(Ordering::SeqCst);
    ALLOCATOR.peak.store(held, Ordering::SeqCst);
    let result = work();
    let peak = ALLOCATOR.peak.load(Ordering::SeqCst) - held;
    (result, peak, status("VmHWM").saturating_sub(resident))
}

/// A line of the process's status, in bytes; 0 if it is missing.
fn status(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok());
    number.unwrap_or(0) * 1024
}

/// Reads to the end in constant memory, and returns the number of records.
fn count_records<R: Read>(reader: Result<Reader<R>, idx_std::Error>) -> Result<u64, Error> {
    let mut reader = reader?;
    let mut count = 0;
    while let Some(record) = reader.next_record() {
        record?;
        count += 1;
    }
    Ok(count)
}

fn count_typed<T: IdxRecord>(path: &Path) -> Result<u64, Error> {
    let mut count = 0;
    for record in Reader::open(path)?.records::<T>()? {
        record?;
        count += 1;
    }
    Ok(count)
}

type Way = (&'static str, fn(&Path) -> Result<u64, Error>);

/// Every way to read a file, each with the number of records.
const WAYS: [Way; 10] = [
    ("open", |path| Ok(open(path)?.as_idx().len() as u64)),
    ("open a pipe", |path| {
        let reader = IoReader(File::open(path).unwrap());
        Ok(IdxBuf::from_reader(reader)?.as_idx().len() as u64)
    }),
    ("load u8", |path| Ok(load::<u8>(path)?.len() as u64)),
    ("load i8", |path| Ok(load::<i8>(path)?.len() as u64)),
    ("load f64", |path| Ok(load::<f64>(path)?.len() as u64)),
    ("stream", |path| count_records(Reader::open(path))),
    ("stream a pipe", |path| count_records(Reader::new(IoReader(File::open(path).unwrap())))),
    ("stream typed", count_typed::<[u8; 4]>),
    ("stream scalars", count_typed::<f64>),
    ("stream into a hash", |path| identify(path).map(|known| known.iter().len() as u64)),
];

/// A stream: nothing about it is known in advance.
struct IoReader(File);

impl Read for IoReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// The bytes plain, as one gzip member, and as two, in which case the end does not state the whole length.
fn contents(plain: &[u8]) -> [Vec<u8>; 3] {
    let member = gzip(plain);
    let members = [&member[..], &gzip(&[])].concat();
    [plain.to_vec(), member, members]
}

/// Bytes that do not compress.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut bytes = vec![0; count];
    for some in bytes.chunks_mut(4) {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        // The upper half, as the lower bits repeat.
        some.copy_from_slice(&state.to_be_bytes()[..some.len()]);
    }
    bytes
}

#[test]
fn no_header_gets_memory_for_what_it_promises() {
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut checked = 0;
    for (code, sizes) in [
        (0x08, &[u32::MAX, 784][..]),
        (0x08, &[2, u32::MAX]),
        (0x08, &[u32::MAX]),
        (0x09, &[u32::MAX]),
        (0x0E, &[u32::MAX]),
    ] {
        for present in [0, 8, 3_000_001] {
            let plain = file(code, sizes, &noise(present));
            for content in contents(&plain) {
                std::fs::write(&path, &content).unwrap();
                for (name, way) in WAYS {
                    let (result, held, resident) = measure(|| way(&path));
                    let error = result.unwrap_err();
                    let Some(ErrorKind::Format(error)) = file_kind(&error) else {
                        panic!("{name}, {code:02X} {sizes:?}: {error}");
                    };
                    match *error {
                        idx_core::ErrorKind::Truncated { found, .. } => {
                            assert_eq!(found, present as u64, "{name}, {code:02X} {sizes:?}");
                            checked += 1;
                        }
                        // The file has another type than this reader expects: it is rejected before the
                        // payload.
                        idx_core::ErrorKind::ElementMismatch { .. }
                        | idx_core::ErrorKind::RankMismatch { .. }
                        | idx_core::ErrorKind::ShapeMismatch { .. } => {}
                        // A file that this machine cannot address is rejected before the payload.
                        idx_core::ErrorKind::Unaddressable { .. }
                            if cfg!(target_pointer_width = "32") => {}
                        error => panic!("{name}, {code:02X} {sizes:?}: {error}"),
                    }
                    let most = plain.len() + compressed(name, &content) + ALLOWANCE;
                    assert!(held <= most, "{name}, {code:02X} {sizes:?}: {held} of {most}");
                    assert!(
                        resident <= most + HUGE_PAGE,
                        "{name}, {code:02X} {sizes:?}: {resident} pages of {most}"
                    );
                }
            }
        }
    }
    assert!(checked > 150, "{checked} files were read to where they end");
}

#[test]
fn whole_files_take_their_size() {
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for (code, sizes) in [(0x08, [700_000, 4]), (0x08, [3, 1 << 20]), (0x0E, [3, 1 << 17])] {
        let size = if code == 0x08 { 1 } else { 8 };
        let plain = file(code, &sizes, &noise(sizes.iter().product::<u32>() as usize * size));
        for content in contents(&plain) {
            std::fs::write(&path, &content).unwrap();
            for (name, way) in WAYS {
                let (result, held, resident) = measure(|| way(&path));
                if result.is_err() {
                    continue; // of another type
                }
                let most = match name {
                    name if name.starts_with("stream") => ALLOWANCE + (1 << 20),
                    _ => plain.len() + compressed(name, &content) + ALLOWANCE,
                };
                assert!(held <= most, "{name}, {sizes:?}: {held} of {most}");
                // Nothing is known of a pipe in advance, and an allocator may copy memory to grow it.
                let copied = if name == "open a pipe" { plain.len() } else { 0 };
                assert!(
                    resident <= most + copied + HUGE_PAGE,
                    "{name}, {sizes:?}: {resident} pages of {most}"
                );
            }
        }
    }
}

/// The end of a gzip file is a claim, like its header: memory is still taken only for bytes that arrive.
#[test]
fn a_forged_gzip_length_takes_address_space_at_most() {
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let present = 3_000_000;
    let promised = 1_000_000_000u32;
    let mut content = gzip(&file(0x08, &[promised], &noise(present)));
    let end = content.len() - 4;
    content[end..].copy_from_slice(&(promised + 8).to_le_bytes());
    std::fs::write(&path, &content).unwrap();
    for (name, way) in [WAYS[0], WAYS[2]] {
        let (result, _, resident) = measure(|| way(&path));
        assert!(matches!(file_kind(&result.unwrap_err()), Some(ErrorKind::GzipDamaged { .. })));
        let most = present + compressed(name, &content) + ALLOWANCE + HUGE_PAGE;
        assert!(resident <= most, "{name}: {resident} of {most}");
    }
}

/// A gzip member of a header and as many MiB of zeros, about 1 KiB each.
struct Bomb {
    start: Vec<u8>,
    /// A MiB of zeros as deflate blocks that stand for themselves.
    zeros: Vec<u8>,
    mebibytes: u32,
    end: Vec<u8>,
}

impl Bomb {
    fn new(header: &[u8], mebibytes: u32) -> Self {
        let mut compress = Compress::new(Compression::best(), false);
        let mut deflate = |bytes: &[u8], flush| {
            let mut output = Vec::with_capacity(bytes.len() + 64);
            compress.compress_vec(bytes, &mut output, flush).unwrap();
            output
        };
        let start = deflate(header, FlushCompress::Full);
        let zeros = deflate(&[0; 1 << 20], FlushCompress::Full);
        let last = deflate(&[], FlushCompress::Finish);
        let mut checksum = Crc::new();
        checksum.update(header);
        let mut of_zeros = Crc::new();
        of_zeros.update(&[0; 1 << 20]);
        for _ in 0..mebibytes {
            checksum.combine(&of_zeros);
        }
        let size = (u64::from(mebibytes) << 20) + header.len() as u64;
        let mut end = last;
        end.extend(checksum.sum().to_le_bytes());
        end.extend(&size.to_le_bytes()[..4]);
        Self {
            start: [&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255], &start[..]].concat(),
            zeros,
            mebibytes,
            end,
        }
    }

    fn write(&self, path: &Path) -> u64 {
        let mut file = io::BufWriter::new(File::create(path).unwrap());
        file.write_all(&self.start).unwrap();
        for _ in 0..self.mebibytes {
            file.write_all(&self.zeros).unwrap();
        }
        file.write_all(&self.end).unwrap();
        file.into_inner().unwrap().metadata().unwrap().len()
    }
}

/// 5 GiB of zeros, more than the end of a gzip member can count, in about 5 MiB.
const BOMB: u32 = 5 << 10;

#[test]
fn a_gzip_bomb_is_refused_after_what_its_header_promises() {
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.gz");
    let promised = 1000;
    let size = Bomb::new(&file(0x08, &[promised], &[]), BOMB).write(&path);
    assert!(size < 8 << 20, "{size}");
    for (name, way) in WAYS {
        let (result, held, resident) = measure(|| way(&path));
        let error = result.unwrap_err();
        match file_kind(&error) {
            Some(ErrorKind::TrailingBytes { offset, at_least: true, .. }) => {
                assert_eq!(*offset, 8 + u64::from(promised));
            }
            Some(ErrorKind::Format(
                idx_core::ErrorKind::ElementMismatch { .. }
                | idx_core::ErrorKind::RankMismatch { .. },
            )) => {}
            _ => panic!("{name}: {error}"),
        }
        assert!(held <= ALLOWANCE, "{name}: {held}");
        assert!(resident <= ALLOWANCE + HUGE_PAGE, "{name}: {resident}");
    }
}

#[test]
fn an_honest_gzip_bomb_is_streamed_in_constant_memory_and_kept_out_by_a_limit() {
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.gz");
    let records = BOMB << 10; // of 1 KiB
    Bomb::new(&file(0x08, &[records, 1 << 10], &[]), BOMB).write(&path);
    let (count, held, resident) = measure(|| count_records(Reader::open(&path)));
    assert_eq!(count.unwrap(), u64::from(records));
    assert!(held <= ALLOWANCE, "{held}");
    assert!(resident <= ALLOWANCE + HUGE_PAGE, "{resident}");

    // The first bytes of it say its format, and they are as many as any.
    let (source, held, resident) = measure(|| idx_data::open(&path));
    assert_eq!(source.unwrap().formats(), [Format::IdxGz]);
    assert!(held <= ALLOWANCE, "{held}");
    assert!(resident <= ALLOWANCE + HUGE_PAGE, "{resident}");

    let options = ReadOptions::new().limit(1 << 30);
    let (result, held, _) = measure(|| options.open(&path));
    assert!(matches!(
        result.unwrap_err().kind(),
        ErrorKind::LimitExceeded { limit, needed, .. }
            if *limit == 1 << 30 && *needed == 12 + (u64::from(BOMB) << 20)
    ));
    assert!(held <= ALLOWANCE, "{held}");
}

/// Records that wait for their place, for the end or for a thread are bounded.
#[test]
fn few_records_wait_in_memory() {
    const RECORD: u32 = 1 << 10;
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let zeros = |name: &str, dims: [u32; 3]| {
        let path = folder.path().join(name);
        let header = file(0x08, &dims, &[]);
        std::fs::write(&path, &header).unwrap();
        let size = dims.iter().copied().map(u64::from).product::<u64>() + header.len() as u64;
        File::options().write(true).open(&path).unwrap().set_len(size).unwrap();
        path
    };
    let shuffle = Chance { seed: Some(1), ..Chance::default() };

    let many = zeros("many.idx", [128, RECORD, RECORD]);
    let (chosen, held, _) = measure(|| idx_data::open(&many)?.choose(&shuffle));
    assert_eq!(chosen.unwrap().facts().count, Some(128));
    assert!(held <= (64 << 20) + ALLOWANCE, "{held}");

    // Besides its entry, a record has a place, and no label that nobody asks for.
    const MANY: u32 = 1 << 20;
    let numbers = Cursor::new(file(0x08, &[MANY], &vec![0; MANY as usize]));
    let (chosen, held, _) =
        measure(|| OpenOptions::new().open_stream("a.idx", Box::new(numbers))?.choose(&shuffle));
    assert_eq!(chosen.unwrap().facts().count, Some(MANY.into()));
    assert!(held <= 32 * MANY as usize, "{held}");

    // A label is the number of its class, and a class has no own list.
    let [numbers, labels] = ["numbers", "labels"].map(|name| folder.path().join(name));
    for path in [&numbers, &labels] {
        std::fs::write(path, file(0x08, &[MANY], &noise(MANY as usize))).unwrap();
    }
    let open = |path| idx_data::open(path);
    let (parts, held, _) =
        measure(|| open(&numbers)?.with_labels(open(&labels)?)?.split([0.8, 0.2], 1));
    assert_eq!(
        parts.unwrap().map(|part| part.facts().count).iter().flatten().sum::<u64>(),
        u64::from(MANY)
    );
    assert!(held <= (64 << 20) + 24 * MANY as usize, "{held}");

    let claimed = zeros("claimed.idx", [1 << 24, 0, 28]);
    let (chosen, held, _) = measure(|| idx_data::open(&claimed)?.choose(&shuffle));
    assert!(chosen.is_err());
    assert!(held <= 16 << 20, "{held}");

    let lines = Cursor::new("7,2\n".repeat(1 << 19));
    let options = OpenOptions::new();
    let (last, held, _) = measure(|| options.open_stream("a.csv", Box::new(lines))?.select(-3..));
    assert_eq!(last.unwrap().facts().count, Some(3));
    assert!(held <= 2 * ALLOWANCE, "{held}");

    let line = Cursor::new("1".repeat(32 << 20));
    let limited = OpenOptions::new().record_limit(1u64 << 20);
    let (source, held, _) = measure(|| limited.open_stream("a.csv", Box::new(line)));
    assert!(source.is_err());
    assert!(held <= 4 * ALLOWANCE, "{held}");

    // A long line is in memory once, and a name not that long.
    let options = OpenOptions::new();
    // Not one more than a square picture has.
    let numbers = Cursor::new("1,".repeat((1 << 20) + 1) + "1");
    let (source, held, _) = measure(|| options.open_stream("a.csv", Box::new(numbers)));
    assert_eq!(source.unwrap().facts().layout.record_shape(), [(1 << 20) + 2]);
    // Some 25 bytes for each of the columns, while their roles are decided.
    assert!(held <= 28 << 20, "{held}");
    for start in ["", "label,", "7\n", "1 1\n\""] {
        let text = start.as_bytes().chain(io::repeat(b'a').take(32 << 20));
        let (source, held, _) = measure(|| {
            let mut source = options.open_stream("a.csv", Box::new(text))?;
            let mut record = Record::default();
            (0..2).try_for_each(|_| source.read(&mut record).map(drop))
        });
        let error = source.unwrap_err().to_string();
        assert!(error.contains("more than 1048576 bytes of text in column"), "{error}");
        assert!(held <= 20 * ALLOWANCE, "{held}");
    }

    let pictures = zeros("pictures.idx", [24, RECORD, RECORD]);
    let one_thread = CreateOptions::new().threads(1);
    let (written, held, _) =
        measure(|| idx_data::open(&pictures)?.write_with(folder.path().join("p/"), &one_thread));
    assert_eq!(written.unwrap().records, 24);
    assert!(held <= 16 << 20, "{held}");

    let labels = folder.path().join("l.csv");
    std::fs::write(&labels, "0.png,1\n".repeat(1 << 19)).unwrap();
    let (pairs, held, _) = measure(|| open_pair(folder.path().join("p/"), &labels));
    let error = pairs.unwrap_err().to_string();
    assert!(error.contains("there is no 0.png among the pictures"), "{error}");
    assert!(held <= 16 << 20, "{held}");

    let (written, held, _) =
        measure(|| idx_data::open(&pictures)?.write(folder.path().join("p.csv")));
    assert_eq!(written.unwrap().records, 24);
    assert!(held <= 4 * ALLOWANCE, "{held}");
}

/// Bytes in memory are taken as they are, without a copy.
#[test]
fn plain_bytes_are_not_copied() {
    let _turn = TURN.lock().unwrap();
    let plain = file(0x08, &[3_000_000], &noise(3_000_000));
    let zipped = gzip(&plain);
    let bytes = plain.clone();
    let (buffer, held, _) = measure(|| IdxBuf::from_bytes(bytes).unwrap());
    assert!(held < 1000, "{held}");
    drop(buffer);
    let most = plain.len() + ALLOWANCE;
    let (_, held, _) = measure(|| IdxBuf::from_reader(Cursor::new(zipped)).unwrap());
    assert!(held <= most, "{held}");
}

/// Whatever their values: bins are joined, and no element is kept.
#[test]
fn statistics_take_constant_memory() {
    let _turn = TURN.lock().unwrap();
    let noise = noise(1 << 23);
    for element_type in ElementType::ALL {
        let (summary, peak, _) = measure(|| {
            let mut stats = Stats::new(element_type);
            for piece in noise.chunks(1 << 20) {
                stats.push_bytes(piece);
            }
            stats.summary()
        });
        assert_eq!(summary.count, (noise.len() / element_type.size()) as u64);
        assert!(peak < 1 << 16, "{element_type}: {peak}");
    }
}

#[test]
fn labelled_images_are_streamed_in_constant_memory_and_shared_without_a_copy() {
    let _turn = TURN.lock().unwrap();
    const COUNT: u32 = 20_000;
    let folder = tempfile::tempdir().unwrap();
    let (images, labels) = (folder.path().join("images"), folder.path().join("labels"));
    let payload = noise(COUNT as usize * 400);
    std::fs::write(&images, file(0x08, &[COUNT, 400], &payload)).unwrap();
    std::fs::write(&labels, file(0x08, &[COUNT], &[7; COUNT as usize])).unwrap();

    let (count, peak, _) = measure(|| {
        let mut pairs = open_pair(&images, &labels).unwrap();
        let mut count = 0;
        while let Some(batch) = pairs.next_batch::<[u8; 400], u8>(64).unwrap() {
            count += batch.len();
        }
        count
    });
    assert_eq!(count, COUNT as usize);
    assert!(peak <= ALLOWANCE, "{peak} bytes");

    let set = Labeled::<[u8; 400], u8>::open(&images, &labels).unwrap();
    let (count, peak, _) = measure(|| {
        let [training, validation] = set.shuffled(1).split([0.5, 0.5]).unwrap();
        let batches: Vec<_> = training.batches(64).chain(validation.batches(64)).collect();
        batches.iter().map(Labeled::len).sum::<usize>()
    });
    assert_eq!(count, COUNT as usize);
    assert!(peak <= ALLOWANCE, "{peak} bytes");
}

/// 600 KB that decompress to 620 MB are rejected before they are decompressed, by every reader.
#[test]
fn an_upload_is_refused_at_the_limit() {
    let _turn = TURN.lock().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("upload.gz");
    Bomb::new(&file(0x08, &[592, 1 << 20], &[]), 592).write(&path);
    let upload = std::fs::read(&path).unwrap();
    assert!(upload.len() < 700_000, "{}", upload.len());
    let options = ReadOptions::new().limit(10 << 20);
    type Way<'a> = (&'static str, &'a dyn Fn() -> Result<usize, Error>);
    let ways: [Way<'_>; 5] = [
        ("open", &|| Ok(options.open(&path)?.bytes().len())),
        ("from_reader", &|| Ok(options.from_reader(&upload[..])?.bytes().len())),
        ("from_bytes", &|| Ok(options.from_bytes(&upload[..])?.bytes().len())),
        ("load", &|| Ok(options.load::<u8>(&path)?.len())),
        ("Reader", &|| {
            let reader = Reader::new(&upload[..])?.record_limit(1 << 19)?;
            Ok(reader.header().dims().len())
        }),
    ];
    for (name, way) in ways {
        let (result, held, resident) = measure(way);
        let error = result.unwrap_err();
        let is_limit = matches!(
            file_kind(&error),
            Some(ErrorKind::LimitExceeded { .. } | ErrorKind::RecordLimitExceeded { .. })
        );
        assert!(is_limit, "{name}: {error}");
        // `from_bytes` takes a copy of the slice.
        let most = upload.len() + ALLOWANCE;
        assert!(held <= most, "{name}: {held} of {most}");
        assert!(resident <= most, "{name}: {resident} of {most}");
    }
}

/// Nothing is known of a stream in advance: the memory for it grows by a quarter at a time.
#[test]
fn a_stream_takes_a_quarter_more_than_its_bytes_at_most() {
    let _turn = TURN.lock().unwrap();
    let present = 40_000_000;
    let cut = file(0x08, &[u32::MAX], &noise(present));
    let (result, held, resident) = measure(|| IdxBuf::from_reader(&cut[..]));
    result.unwrap_err();
    let most = present / 4 * 5 + ALLOWANCE;
    assert!(held <= most, "{held} of {most}");
    // An allocator may copy memory to grow it.
    let most = 2 * present + ALLOWANCE;
    assert!(resident <= most, "{resident} of {most}");
}

//! The inputs from which the fuzzers start.

use idx_core::ElementType;

use super::input::Input;
use super::labels_csv::NAMES;
use super::{CHECKS, Check, npz, parquet};
use crate::{bad_files, file, gzip, npy};

/// An input to start from.
#[derive(Clone, Debug)]
pub struct Seed {
    /// Its content, as a file name.
    pub name: String,
    /// The input of a check.
    pub bytes: Vec<u8>,
}

impl Check {
    /// Inputs for this check.
    #[must_use]
    pub fn seeds(&self) -> Vec<Seed> {
        let contents = (self.contents)();
        let mut seeds = vec![];
        for (way, start) in self.starts.iter().enumerate() {
            for Seed { name, bytes } in &contents {
                seeds.push(Seed {
                    name: format!("{name}-{way}"),
                    bytes: [start, &bytes[..]].concat(),
                });
            }
        }
        seeds
    }

    /// The check of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        CHECKS.into_iter().find(|check| check.name == name)
    }
}

/// Good files and bad ones, of all element types, of many shapes, and of the samples that the checks
/// know.
pub(super) fn files() -> Vec<Seed> {
    // The shapes of the samples are among these.
    let shapes: [&[u32]; 13] = [
        &[],
        &[0],
        &[3],
        &[2, 2],
        &[2, 3],
        &[2, 4],
        &[2, 0],
        &[0, 3],
        &[2, 3, 2],
        &[2, 2, 3],
        &[2, 2, 2],
        &[3, 3, 0],
        &[1, 1, 1, 1, 1, 3, 1, 1, 2],
    ];
    let mut files = vec![];
    let mut add = |name: &str, bytes| {
        let name = name.into();
        files.push(Seed { name, bytes });
    };
    for element_type in ElementType::ALL {
        for shape in shapes {
            let len = shape.iter().product::<u32>() as usize * element_type.size();
            // Small numbers, which every sample allows in the last byte of an element.
            let payload = (0..len).map(|offset| match (offset + 1) % element_type.size() {
                0 => (offset % 3) as u8,
                _ => 0,
            });
            let bytes = file(element_type.code(), shape, &payload.collect::<Vec<u8>>());
            let shape: Vec<String> = shape.iter().map(u32::to_string).collect();
            add(&format!("{element_type}-{}", shape.join("x")), bytes);
        }
    }
    let labels = file(0x08, &[40], &(0..40).map(|i| i % 10).collect::<Vec<u8>>());
    let switches = [0, 0, 0, 0, 0, 0, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF];
    let switches = file(0x0C, &[3], &switches);
    let (first, second) = labels.split_at(9);
    add("gzip", gzip(&labels));
    add("gzip-of-two-members", [gzip(first), gzip(second)].concat());
    add("gzip-with-padding", [gzip(&labels), vec![0; 7]].concat());
    add("two-files", [&labels[..], &switches].concat());
    add("labels", labels);
    add("switches", switches);
    add("records-of-no-bytes", file(0x08, &[u32::MAX, 0], &[]));
    for bad in bad_files() {
        add(bad.name, bad.bytes);
    }
    files
}

/// Elements without a header.
pub(super) fn elements() -> Vec<Seed> {
    let seed = |name: &str, bytes: Vec<u8>| Seed { name: name.into(), bytes };
    vec![
        seed("none", vec![]),
        seed("all-bytes", (0..=u8::MAX).collect()),
        seed("digits", (0..40).map(|offset| offset % 10).collect()),
    ]
}

/// Lines of numbers: plain ones, and those that other programs write.
pub(super) fn lines() -> Vec<Seed> {
    let texts = [
        ("plain", "7,0,255\n3,12,0\n"),
        ("carriage-returns", "7,0,255\r\n3,12,0\r\n"),
        ("quotes", "7,\"0\",255\n\"3\",\"1\n\",0\n1,2,3"),
        ("spaces", "\u{FEFF}7, 0,255 \n\n 3,12,+1\n1,2,3\n"),
        ("floats", "1.5,-0.25,1e-7\n5.0e+00,inf,NaN\n1e39,2.5,0.1\n"),
        ("integers", "16777216,1e-45,0e9\n16777217,1e-60,0\n"),
        ("names", "label,0,1\n7,-1,300\n1,2\n"),
        ("too-long", "1,2,3\n12345678901234567890,1,99999999999999999999\n"),
    ];
    let seed = |(name, text): (&str, &str)| Seed { name: name.into(), bytes: text.into() };
    texts.into_iter().map(seed).collect()
}

/// Arrays of NumPy of all types, in both orders.
pub(super) fn arrays() -> Vec<Seed> {
    let mut seeds = vec![];
    for descr in
        ["|u1", "|b1", "|i1", ">i2", "<i4", "<f4", ">f8", "<f2", "<u2", ">u4", "<u8", "<i8"]
    {
        let size = usize::from(descr.as_bytes()[2] - b'0');
        for (order, is_fortran) in [("c", false), ("fortran", true)] {
            let shapes: [&[u64]; 5] = [&[], &[3], &[2, 3], &[3, 2, 2], &[2, 0]];
            for shape in shapes {
                let elements = shape.iter().product::<u64>() as usize * size;
                let elements: Vec<u8> = (0..elements).map(|offset| offset as u8).collect();
                let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
                let name = format!("{}-{order}-{}", &descr[1..], sizes.join("x"));
                seeds.push(Seed { name, bytes: npy(descr, is_fortran, shape, &elements) });
            }
        }
    }
    seeds
}

/// Such arrays behind what is drawn, and archives with them.
pub(super) fn archives() -> Vec<Seed> {
    let arrays = || arrays().into_iter().step_by(7);
    let starts: [&[u8]; 4] = [&[0; 5], &[1, 0, 0, 0, 0], &[0, 0, 50, 1, 0], &[1, 0, 60, 0, 3]];
    let drawn = arrays().zip(starts.into_iter().cycle()).map(|(Seed { name, bytes }, start)| {
        Seed { name: format!("drawn-{name}"), bytes: [start, &bytes].concat() }
    });
    let archived = arrays().enumerate().map(|(index, Seed { name, bytes })| Seed {
        name: format!("archive-{name}"),
        bytes: npz::archive(&bytes, index % 2 == 0),
    });
    drawn.chain(archived).collect()
}

/// Draws for tables, and tables with them; these only with the feature `parquet` of idx-data.
pub(super) fn tables() -> Vec<Seed> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.parquet");
    let mut seeds = vec![];
    for element_type in 0..6 {
        for (way, shape) in [(0, &[2, 3][..]), (1, &[]), (2, &[4]), (7, &[2, 2]), (9, &[0])] {
            let length = u8::try_from(shape.len()).expect("few");
            let bytes = [&[element_type, way, length], shape, &[1, 0, 0, 0, 2, 3, 4, 5].repeat(8)];
            let bytes = bytes.concat();
            if parquet::write(&path, Input::new(&bytes)).is_some() {
                let bytes = std::fs::read(&path).expect("a table");
                seeds.push(Seed { name: format!("table-{element_type}-{way}"), bytes });
            }
            seeds.push(Seed { name: format!("drawn-{element_type}-{way}"), bytes });
        }
    }
    seeds
}

/// Small pictures of each format.
pub(super) fn pictures_of_all_formats() -> Vec<Seed> {
    macro_rules! pictures {
        ($($name:literal)*) => {
            [$(($name, &include_bytes!(concat!("../../fuzz/pictures/", $name))[..])),*]
        };
    }
    let pictures = pictures![
        "alpha.png" "alpha.webp" "cmyk.jpg" "deflate.tif" "gray.bmp" "gray.jpg" "gray.png" "gray.tif" "lossless.webp"
        "lossy.webp" "lzw.tif" "palette.gif" "palette.png" "progressive.jpg" "rgb.bmp" "rgb.jpg" "rgb.png" "two.gif"
    ];
    let seed = |(name, bytes): (&str, &[u8])| Seed { name: name.into(), bytes: bytes.into() };
    pictures.into_iter().map(seed).collect()
}

/// The labels of three pictures: good ones, and those that people write.
pub(super) fn lines_of_labels() -> Vec<Seed> {
    let [first, second, third] = NAMES;
    let texts = [
        ("numbers", format!("file,label\n{first},0\n{second},7\n{third},-1\n")),
        ("names", format!("file,label\r\n{third},cat\r\n{second},dog\r\n{first},cat\r\n")),
        (
            "quotes",
            format!("\"file\",\"label\"\n\"{first}\",\"a,b\"\n{second},\"c\nd\"\n{third}, e "),
        ),
        ("tabs", format!("file\tlabel\n{first}\t+1\n{second}\t007\n{third}\t2\n\n")),
        ("twice", format!("file,label\n{first},1\n{first},2\n{second},3\n{third},4\n")),
        ("mixed", format!("file,label\n{first},1\n{second},cat\n{third},4\n")),
        ("open-quotes", format!("file,label\n{first},1\n{second},2\n{third},\"4\n")),
        ("nothing", String::new()),
    ];
    let seed = |(name, text): (&str, String)| Seed { name: name.into(), bytes: text.into() };
    texts.into_iter().map(seed).collect()
}

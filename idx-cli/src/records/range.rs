use std::ops::Range;
use std::str::FromStr;

/// Records from `start` to before `end`, or to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordRange {
    pub(crate) start: u64,
    pub(crate) end: Option<u64>,
}

impl RecordRange {
    /// The range within so many records; the error is a sentence.
    pub(crate) fn within(self, count: u64) -> Result<Range<u64>, String> {
        let end = self.end.unwrap_or(count);
        match self.start > count || end > count {
            true => Err(out_of_range(count)),
            false => Ok(self.start..end),
        }
    }
}

/// That the range is larger than the number of records.
pub(crate) fn out_of_range(count: u64) -> String {
    let records = match count {
        1 => "is 1 record".to_string(),
        _ => format!("are {count} records"),
    };
    format!("--records is out of range; there {records}, numbered from 0")
}

impl FromStr for RecordRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| {
            text.parse::<u64>()
                .map_err(|_| "write A..B with whole numbers, such as 0..10, 10.., ..10 or 7")
        };
        let Some((start, end)) = text.split_once("..") else {
            let start = number(text)?;
            let end = Some(start.saturating_add(1));
            return Ok(Self { start, end });
        };
        let start = match start {
            "" => 0,
            _ => number(start)?,
        };
        let end = match end {
            "" => None,
            _ => Some(number(end)?),
        };
        match end {
            Some(end) if end < start => Err(format!("{start}..{end} ends before it starts")),
            _ => Ok(Self { start, end }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RecordRange;

    #[test]
    fn ranges() {
        let range = |start, end| Ok(RecordRange { start, end });
        assert_eq!("3..7".parse(), range(3, Some(7)));
        assert_eq!("3..".parse(), range(3, None));
        assert_eq!("..7".parse(), range(0, Some(7)));
        assert_eq!("..".parse(), range(0, None));
        assert_eq!("7".parse(), range(7, Some(8)));
        assert_eq!("7..7".parse(), range(7, Some(7)));
        for wrong in [
            "",
            "a",
            "7..3",
            "-1..3",
            "1...3",
            "1..x",
            "18446744073709551616",
        ] {
            assert!(wrong.parse::<RecordRange>().is_err(), "{wrong}");
        }
    }
}

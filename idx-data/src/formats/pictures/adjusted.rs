//! Picture options for records of other formats.

use idx_std::ElementType;

use crate::error::ErrorKind;
use crate::formats::pictures::adjust::adjust;
use crate::formats::pictures::fit_mnist;
use crate::formats::pictures::picture::{image, of_record};
use crate::record::options::OpenOptions;
use crate::record::picture_options::Fit;
use crate::record::{Change, Facts, Record, RecordLayout};

/// Returns the change that makes pictures of another format like those of a folder, and the facts about the results.
pub(crate) fn adjusted(facts: &Facts, options: &OpenOptions) -> Result<(Facts, Change), ErrorKind> {
    let mut options = options.clone();
    options.pictures.check()?;
    if options.pictures.background.is_none() {
        options.pictures.background = Some(0);
    }
    let image = image(&facts.layout)?;
    options.pictures.check_pixels(image.height() as u64 * image.width() as u64)?;
    let shape = match options.pictures.fit {
        Some(Fit::Mnist) => fit_mnist::SIZE.to_vec(),
        // The shape of any picture.
        _ => {
            let size = facts.layout.record_size().unwrap_or_default();
            let blank = vec![0; usize::try_from(size).unwrap_or_default()];
            adjust(of_record(image, &blank), &options)?.shape
        }
    };
    let layout = RecordLayout::of_records(ElementType::U8, facts.count, &shape);
    let change = move |record: &mut Record| {
        record.bytes = adjust(of_record(image, &record.bytes), &options)?.pixels;
        Ok(())
    };
    Ok((Facts { layout, columns: None, ..facts.clone() }, Box::new(change)))
}

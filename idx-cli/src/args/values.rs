//! Parses the values of options.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use idx_data::dataset::DataSet;
use idx_data::{Axes, ColumnLayout, DType, Format};
use idx_std::ElementType;

/// The sizes of a record, as one value of an option.
pub(super) type Shape = Vec<u32>;

pub(super) fn shape(text: &str) -> Result<Shape, &'static str> {
    let sizes = text.split('x').map(|size| size.trim().parse());
    let sizes: Result<_, _> = sizes.collect();
    sizes.map_err(|_| "write the sizes as whole numbers with x between them, such as 28x28")
}

pub(super) fn positive<N: std::str::FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse().map_err(|_| "write a whole number above 0")
}

pub(super) fn whole(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "write a whole number, such as 10")
}

pub(super) fn brightness(text: &str) -> Result<u8, &'static str> {
    text.parse().map_err(|_| "write a brightness from 0, black, to 255, white")
}

pub(super) fn type_parser() -> impl TypedValueParser<Value = ElementType> {
    let names = ElementType::ALL.map(ElementType::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<ElementType>())
}

pub(super) fn raw_type_parser() -> impl TypedValueParser<Value = DType> {
    PossibleValuesParser::new(DType::ALL.map(DType::name)).try_map(|name| {
        let mut dtypes = DType::ALL.into_iter();
        dtypes.find(|dtype| dtype.name() == name).ok_or("not the name of a type")
    })
}

pub(super) fn label_type_parser() -> impl TypedValueParser<Value = ElementType> {
    let names = ["u8", "i8", "i16", "i32"];
    PossibleValuesParser::new(names).try_map(|name| name.parse::<ElementType>())
}

pub(super) fn format_parser() -> impl TypedValueParser<Value = Format> {
    let values = Format::ALL.map(|format| {
        PossibleValue::new(format.name()).help(match format {
            Format::Idx => "Plain IDX",
            Format::IdxGz => "IDX, compressed",
            Format::Npy => "A NumPy array",
            Format::Npz => "NumPy arrays: the records and their labels",
            Format::Csv => "One record per line",
            Format::Png => "A folder of pictures",
            _ => "A file, or a folder of shards",
        })
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Format>())
}

pub(super) fn layout_parser() -> impl TypedValueParser<Value = ColumnLayout> {
    let value = |name: &'static str, help: &'static str| PossibleValue::new(name).help(help);
    PossibleValuesParser::new([
        value("list", "A list of numbers"),
        value("tensor", "An Arrow tensor"),
        value("binary", "Little-endian bytes"),
    ])
    .map(|name| match &*name {
        "tensor" => ColumnLayout::Tensor,
        "binary" => ColumnLayout::Binary,
        _ => ColumnLayout::List,
    })
}

pub(super) fn data_set_parser() -> impl TypedValueParser<Value = DataSet> {
    PossibleValuesParser::new(DataSet::ALL.map(DataSet::id)).try_map(|name| {
        let mut data_sets = DataSet::ALL.into_iter();
        let named = data_sets.find(|data_set| data_set.id().eq_ignore_ascii_case(&name));
        named.ok_or("not the name of a data set")
    })
}

/// Parses the axes of `--transpose`; without axes, it swaps rows and columns.
pub(super) fn axes(text: &str) -> Result<Axes, &'static str> {
    if text.is_empty() {
        return Ok(Axes::Swapped);
    }
    let order: Result<Vec<usize>, _> = text.split(',').map(|axis| axis.trim().parse()).collect();
    order.map(Axes::from).map_err(|_| "write the axes from 0 with commas between, such as 2,0,1")
}

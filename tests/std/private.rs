//! What idx-data takes from the inside of idx-std: few items, and as many as the page says.

const PAGE: &str = include_str!("../../idx-std/src/__private.rs");

#[test]
fn the_page_counts_its_items() {
    let uses = PAGE.split("pub use crate::").skip(1).filter_map(|text| text.split(';').next());
    let count: usize = uses
        .map(|path| match path.split_once('{') {
            Some((_, items)) => items
                .trim_end_matches('}')
                .split(',')
                .filter(|item| !item.trim().is_empty())
                .count(),
            None => 1,
        })
        .sum();
    assert!(!PAGE.contains("::*;") || PAGE.matches("::*;").count() == 1, "only those of idx-core");
    assert!(PAGE.contains(&format!("this crate: {count} items,")), "{count} items");
}

//! The orders of [`Labeled`] by seed, compared with `tests/orders/labeled.txt`.

use idx_data::Labeled;
use idx_std::IdxBuf;
use idx_tests::orders::{COUNTS, Labels, Orders, SEEDS, indices_file};

type Set = Labeled<i32, u8>;

fn indices(set: &Set) -> Vec<i32> {
    set.iter().map(|(index, _)| index).collect()
}

/// If this fails, users who trained with a seed do not get the same order again.
#[test]
fn a_seed_means_the_same_order_in_every_version() {
    let mut orders = Orders::default();
    for count in COUNTS {
        for labels in Labels::ALL {
            let files = [indices_file(count), labels.file(count)].map(IdxBuf::from_bytes);
            let [images, classes] = files.map(Result::unwrap);
            let set = Set::new(images, classes).unwrap();
            let case = format!("{count} {labels:?}");
            orders.push(format!("{case} stratified"), &indices(&set.stratified()));
            push_per_class(&mut orders, &format!("{case} per class"), &set);
            push_split(&mut orders, &format!("{case} stratified, split"), &set.stratified());
            for seed in SEEDS {
                let shuffled = set.shuffled(seed);
                let stratified = shuffled.stratified();
                let case = format!("{count} {labels:?} {seed}");
                if matches!(labels, Labels::One) {
                    // The labels do not matter.
                    orders.push(format!("{case} shuffled"), &indices(&shuffled));
                    orders.push(format!("{case} twice"), &indices(&shuffled.shuffled(seed)));
                    push_split(&mut orders, &format!("{case} split"), &shuffled);
                }
                orders.push(format!("{case} stratified"), &indices(&stratified));
                push_split(&mut orders, &format!("{case} stratified, split"), &stratified);
                push_per_class(&mut orders, &format!("{case} per class"), &shuffled);
                let [training, _] = stratified.split([0.8, 0.2]).unwrap();
                let again = training.shuffled(seed.wrapping_add(1));
                orders.push(format!("{case} split, shuffled"), &indices(&again));
                let counts = shuffled.class_counts();
                let classes = [1, 3].into_iter().filter(|class| counts.contains_key(class));
                let some = shuffled.only(classes.collect::<Vec<_>>()).unwrap();
                orders.push(format!("{case} of classes"), &indices(&some));
            }
        }
    }
    orders.expect(include_str!("../../orders/labeled.txt"));
}

fn push_split(orders: &mut Orders, case: &str, set: &Set) {
    for (part, fraction) in set.split([0.7, 0.2, 0.1]).unwrap().iter().zip([70, 20, 10]) {
        orders.push(format!("{case} {fraction} %"), &indices(part));
    }
}

fn push_per_class(orders: &mut Orders, case: &str, set: &Set) {
    for count in [1, 2] {
        let case = format!("{case} {count}");
        match set.per_class(count) {
            Ok(set) => orders.push(case, &indices(&set)),
            Err(_) => orders.push_refused(case),
        }
    }
}

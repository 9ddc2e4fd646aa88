//! The parts, records and labels of names: tables of cases.

use super::*;

/// Returns the statements, or the question with its answers.
fn read(names: &str, kind: NamesOf, wanted: Option<&str>, labels: bool) -> String {
    let names: Vec<String> = names.split(' ').map(|name| name.replace('\'', " ")).collect();
    match understand(&names, kind, wanted, labels) {
        Ok((_, said)) => {
            let texts = said.statements.iter().map(|one| one.text.as_str());
            texts.collect::<Vec<_>>().join("; ")
        }
        Err(question) => {
            let answers = question.answers.iter().map(|one| one.option.to_string());
            format!("? {}: {}", question.sentence, answers.collect::<Vec<_>>().join(" "))
        }
    }
}

#[test]
fn files_are_parts_records_labels_or_shards() {
    for (names, said) in [
        ("train.csv test.csv", "train = train.csv; test = test.csv"),
        ("digits-test.csv digits-train.csv", "train = digits-train.csv; test = digits-test.csv"),
        ("train.csv test.csv dev.csv", "train = train.csv; test = test.csv; val = dev.csv"),
        (
            "images/train.idx images/test.idx labels/train.idx labels/test.idx",
            "train = images/train.idx with labels/train.idx; test = images/test.idx with labels/test.idx",
        ),
        ("data/train.csv data/eval.csv", "train = data/train.csv; test = data/eval.csv"),
        ("FashionTrain.csv FashionTest.csv", "train = FashionTrain.csv; test = FashionTest.csv"),
        // Shards.
        (
            "train-00001-of-00002.parquet train-00000-of-00002.parquet test-00000-of-00001.parquet",
            "train = train-00000-of-00002, train-00001-of-00002; test = test-00000-of-00001.parquet",
        ),
        (
            "train-00000-of-00002-a0b1.csv train-00001-of-00002-c2d3.csv",
            "train = train-00000-of-00002-a0b1, train-00001-of-00002-c2d3",
        ),
        (
            "train-00000-of-00003.csv train-00002-of-00003.csv",
            "train = train-00000-of-00003, train-00002-of-00003 (2 of 3 shards)",
        ),
        ("train-00001-of-00003.csv", "train = train-00001-of-00003.csv (1 of 3 shards)"),
        (
            "data/train/10.csv data/train/9.csv data/test/0001.csv",
            "train = data/train/9, data/train/10; test = data/test/0001.csv",
        ),
        (
            "train/a.parquet train/b.parquet test/x.parquet",
            "train = train/a, train/b; test = test/x.parquet",
        ),
        ("part-0-u1.parquet part-1-u2.parquet", ""),
        (
            "part-00000-550e8400-e29b-41d4-abef-446655440000.snappy.parquet part-00001-550e8400-e29b-41d4-bade-446655440000.snappy.parquet",
            "",
        ),
        ("1-of-2.parquet 2-of-2.parquet", ""),
        // Records with their labels.
        (
            "x_train.csv y_train.csv x_test.csv y_test.csv",
            "train = x_train.csv with y_train.csv; test = x_test.csv with y_test.csv",
        ),
        ("X.npy y.npy", "X.npy with y.npy"),
        (
            "Xtrain.npy ytrain.npy Xtest.npy ytest.npy",
            "train = Xtrain.npy with ytrain.npy; test = Xtest.npy with ytest.npy",
        ),
        ("train_images.npy train_labels.npy", "train = train_images.npy with train_labels.npy"),
        ("records.npy records-labels.npy", "records.npy with records-labels.npy"),
        ("data.npy data_targets.npy", "data.npy with data_targets.npy"),
        (
            "train_values.csv train_labels.csv test_values.csv",
            "train = train_values.csv with train_labels.csv; test = test_values.csv",
        ),
        ("train/images.npy train/labels.npy", "train = train/images.npy with train/labels.npy"),
        (
            "train.csv train_labels.csv test.csv",
            "train = train.csv with train_labels.csv; test = test.csv",
        ),
        (
            "train/images-idx3-ubyte test/images.idx3-ubyte.gz",
            "train = train/images-idx3-ubyte; test = test/images.idx3-ubyte.gz",
        ),
        // Kaggle unpacks a file into a folder with its name.
        (
            "train-images-idx3-ubyte/train-images-idx3-ubyte train-labels-idx1-ubyte/train-labels-idx1-ubyte",
            "train = train-images-idx3-ubyte/train-images-idx.. with train-labels-idx1-ubyte/train-labels-idx..",
        ),
        (
            "train-images-idx3-ubyte/train-images.idx3-ubyte train-labels-idx1-ubyte/train-labels.idx1-ubyte",
            "train = train-images-idx3-ubyte/train-images.idx.. with train-labels-idx1-ubyte/train-labels.idx..",
        ),
        // With the sizes of the tables.
        (
            "csvTrainImages'12x784.csv csvTrainLabel'12x1.csv",
            "train = csvTrainImages 12x784.csv with csvTrainLabel 12x1.csv",
        ),
        (
            "csvTestImages'10k'x'784.csv csvTestLabel'10k'x'1.csv",
            "test = csvTestImages 10k x 784.csv with csvTestLabel 10k x 1.csv",
        ),
        ("train_x.csv train_y.csv", "train = train_x.csv with train_y.csv"),
        (
            "train.csv/train.csv test.csv/test.csv",
            "train = train.csv/train.csv; test = test.csv/test.csv",
        ),
        ("iris.csv", ""),
        ("labels.csv", ""),
        (
            "m_train.data m_train.labels m_valid.data m_valid.labels",
            "train = m_train.data with m_train.labels; val = m_valid.data with m_valid.labels",
        ),
        (
            "train.csv test.csv sample_submission.csv",
            "train = train.csv; test = test.csv; sample_submission.csv left out",
        ),
    ] {
        assert_eq!(read(names, NamesOf::Files, None, true), said, "{names}");
    }
}

#[test]
fn arrays_are_parts_records_or_labels() {
    for (names, said) in [
        ("x y", "x with y"),
        ("arr_0", ""),
        ("X y", "X with y"),
        ("images labels", "images with labels"),
        ("features targets", "features with targets"),
        (
            "x_train y_train x_test y_test",
            "train = x_train with y_train; test = x_test with y_test",
        ),
        (
            "X_train X_test y_train y_test",
            "train = X_train with y_train; test = X_test with y_test",
        ),
        ("train_data train_labels", "train = train_data with train_labels"),
        (
            "val_images val_labels train_images train_labels",
            "train = train_images with train_labels; val = val_images with val_labels",
        ),
        ("x y weights", "x with y; weights left out"),
        ("x y x_test y_test", "train = x with y; test = x_test with y_test"),
        ("x y x_train y_train", "? the names of x, y say no part: skip(\"x,y\")"),
        ("a/x a/y", "a/x with a/y"),
        // Questions.
        ("arr_0 arr_1", "? arr_0, arr_1 may all be the records: part(\"arr_0\") part(\"arr_1\")"),
        ("a b", "? a, b may all be the records: part(\"a\") part(\"b\")"),
        ("weights x", "? x, weights may all be the records: part(\"x\") part(\"weights\")"),
        ("x images y", "? images, x may all be the records: part(\"images\") part(\"x\")"),
        ("y x xs x_grid", "x with y; x_grid, xs left out"),
        ("x_val y_test", "? y_test are labels without their records: skip(\"y_test\")"),
        ("x_val arr_0", "? x_val, arr_0 may all be the records: part(\"x_val\") part(\"arr_0\")"),
        ("x y labels", "? y and labels may both be the labels: skip(\"./labels\") skip(\"./y\")"),
    ] {
        assert_eq!(read(names, NamesOf::Arrays, None, true), said, "{names}");
    }
    // Failed before: labels that are not wanted were read, or asked about.
    for (names, said) in [
        ("weights x", "only x"),
        ("x y", "only x"),
        ("x y z", "only x"),
        ("x y labels", "only x"),
        ("x", ""),
        ("x_train y_train x_test y_test", "train = x_train; test = x_test"),
        ("x_train y_train labels_train", "train = x_train"),
        ("x_train y_train extra_train", "train = x_train; extra_train left out"),
    ] {
        assert_eq!(read(names, NamesOf::Arrays, None, false), said, "{names}");
    }
    assert_eq!(read("x.npy y.npy labels.npy", NamesOf::Files, None, false), "");
}

#[test]
fn files_that_may_be_meant_otherwise_are_asked_about() {
    for (names, question) in [
        ("train.csv test.csv extra.csv", "the file extra.csv is of no part: skip(\"./extra.csv\")"),
        (
            "digits.csv digits-train.csv",
            "the file digits.csv is of no part: skip(\"./digits.csv\")",
        ),
        (
            "train.csv train'(1).csv",
            "train.csv, train (1).csv may all be the records of train; give them as inputs to join them: skip(\"./train (1).csv\") skip(\"./train.csv\")",
        ),
        // The same name in a folder.
        (
            "train.csv train.csv/train.csv test.csv",
            "train.csv, train.csv/train.csv may all be the records of train; give them as inputs to join them: skip(\"./train.csv/train.csv\") skip(\"./train.csv\")",
        ),
        (
            "a_test.csv a_test/a_test.csv a_train.csv a_train/a_train.csv",
            "a_train.csv, a_train/a_train.csv may all be the records of train; give them as inputs to join them: \
             skip(\"./a_train/a_train.csv\") skip(\"./a_train.csv\")",
        ),
        (
            "a/x.csv a/x/x.csv",
            "a/x.csv, a/x/x.csv may all be the records; give them as inputs to join them: skip(\"./a/x/x.csv\") skip(\"./a/x.csv\")",
        ),
        (
            "labels.csv images.csv old/labels.csv old/images.csv",
            "the files labels.csv, images.csv, old/labels.csv, old/images.csv are of no part; give them as inputs to \
             join them, or only one of them: skip(\"./old/images.csv,./old/labels.csv\") \
             skip(\"./images.csv,./labels.csv\")",
        ),
        ("x.csv a/x.csv train.csv test.csv", "the file x.csv is of no part: skip(\"./x.csv\")"),
        (
            "train.csv train2.csv test.csv",
            "train.csv, train2.csv may all be the records of train; give them as inputs to join them: skip(\"./train2.csv\") skip(\"./train.csv\")",
        ),
        (
            "a.csv b.csv",
            "the files a.csv, b.csv are of no part; give them as inputs to join them, or only one of them: ",
        ),
        (
            "X.npy y.npy groups.npy ids.npy",
            "the files X.npy, y.npy, groups.npy, ids.npy are of no part; give them as inputs to join them, or only one \
             of them: skip(\"./groups.npy,./ids.npy\")",
        ),
        (
            "images_0.npy images_1.npy labels_0.npy labels_1.npy",
            "labels_0.npy and labels_1.npy may both be the labels: skip(\"./labels_1.npy\") skip(\"./labels_0.npy\")",
        ),
        (
            "0001.csv 0002.csv",
            "0001.csv, 0002.csv may all be the records; give them as inputs to join them: skip(\"./0002.csv\") skip(\"./0001.csv\")",
        ),
        ("a-train.csv b-train.csv", "this folder has several data sets: part(\"a\") part(\"b\")"),
        (
            "train.csv test.csv train_small.csv",
            "this folder has several data sets: part(\"train\") part(\"test\") part(\"small\") skip(\"./train_small.csv\")",
        ),
        ("train/test.csv", "the path train/test.csv names two parts: skip(\"train/test.csv\")"),
        (
            "x_val.npy y_test.npy",
            "y_test.npy are labels without their records: skip(\"y_test.npy\")",
        ),
        (
            "x_train.npy x_val.npy y_test.npy",
            "y_test.npy are labels without their records: skip(\"y_test.npy\")",
        ),
        (
            "train_test.csv",
            "the name train_test says train and test; rename it to one of train, test and val: ",
        ),
        (
            "train-00000-of-00002.csv train-00000-of-00003.csv",
            "train-00000-of-00002.csv, train-00000-of-00003.csv may all be the records of train; give them as inputs to join them: \
             skip(\"./train-00000-of-00003.csv\") skip(\"./train-00000-of-00002.csv\")",
        ),
        // Shards of two sets, and other files next to shards.
        (
            "0-of-1.parquet 0-of-2.parquet 1-of-2.parquet",
            "0-of-1.parquet, 0-of-2.parquet, .. may all be the records; give them as inputs to join them: \
             skip(\"./0-of-2.parquet,./1-of-2.parquet\") skip(\"./0-of-1.parquet\")",
        ),
        (
            "a-0-of-2.parquet b-1-of-2.parquet",
            "a-0-of-2.parquet, b-1-of-2.parquet may all be the records; give them as inputs to join them: \
             skip(\"./b-1-of-2.parquet\") skip(\"./a-0-of-2.parquet\")",
        ),
        (
            "0-of-2.parquet 1-of-2.parquet other.parquet",
            "0-of-2.parquet, 1-of-2.parquet, .. may all be the records; give them as inputs to join them: \
             skip(\"./other.parquet\") skip(\"./0-of-2.parquet,./1-of-2.parquet\")",
        ),
        (
            "0-of-2-ab.parquet 0-of-2-cd.parquet",
            "0-of-2-ab.parquet, 0-of-2-cd.parquet may all be the records; give them as inputs to join them: \
             skip(\"./0-of-2-cd.parquet\") skip(\"./0-of-2-ab.parquet\")",
        ),
        (
            "0-of-1.parquet 1-of-1.parquet",
            "0-of-1.parquet, 1-of-1.parquet may all be the records; give them as inputs to join them: \
             skip(\"./1-of-1.parquet\") skip(\"./0-of-1.parquet\")",
        ),
        // Names that are not those of shards.
        (
            "cat.parquet dog.parquet",
            "cat.parquet, dog.parquet may all be the records; give them as inputs to join them: \
             skip(\"./dog.parquet\") skip(\"./cat.parquet\")",
        ),
        (
            "train/en.parquet train/fr.parquet",
            "train/en.parquet, train/fr.parquet may all be the records of train; give them as inputs to join them: \
             skip(\"./train/fr.parquet\") skip(\"./train/en.parquet\")",
        ),
        // Copies.
        (
            "data.parquet data'(1).parquet",
            "data (1).parquet may be a copy of data.parquet; rename it if it has other records: \
             skip(\"data (1).parquet\")",
        ),
        (
            "train/1.parquet train/2.parquet train/Copy'of'2.parquet",
            "train/Copy of 2.parquet may be a copy of train/2.parquet; rename it if it has other records: \
             skip(\"train/Copy of 2.parquet\")",
        ),
    ] {
        assert_eq!(read(names, NamesOf::Files, None, true), format!("? {question}"), "{names}");
    }
    let names = "x_val.npy y_test.npy";
    assert_eq!(read(names, NamesOf::Files, None, false), "val = x_val.npy; y_test.npy left out");
}

/// Failed before: the set had no parts.
#[test]
fn only_labels_where_none_are_wanted() {
    for (names, kind, wanted, question) in [
        (
            "train-labels-idx1-ubyte t10k-labels-idx1-ubyte",
            NamesOf::Files,
            None,
            "there are only labels (train-labels-idx1-ubyte, t10k-labels-idx1-ubyte); give one of these files to read it \
             as records: ",
        ),
        // Failed before: the answer was the other part.
        (
            "x_val.npy y_test.npy",
            NamesOf::Files,
            Some("test"),
            "there are only labels (y_test.npy); give one of these files to read it as records: ",
        ),
        (
            "y_train y_test",
            NamesOf::Arrays,
            None,
            "there are only labels (y_train, y_test): part(\"y_train\")",
        ),
    ] {
        assert_eq!(read(names, kind, wanted, false), format!("? {question}"), "{names}");
    }
}

#[test]
fn inputs_with_the_names_of_labels_beside_others() {
    for (names, expected) in [
        ("x.npy y.npy", "y.npy may have the labels of x.npy; if so, give only x.npy as input"),
        ("labels.csv images.csv", "labels.csv may have the labels of images.csv; ..."),
        ("a.npz:x a.npz:y", "a.npz:y may have the labels of a.npz:x; ..."),
        ("a.npz:x_train a.npz:x_test", ""),
        ("y.npz:x y.npz:z", ""),
        ("train-labels.idx test-labels.idx", ""),
        ("a.csv b.csv", ""),
        ("y.npy", ""),
        ("x.csv! y.csv", "y.csv may have the labels of x.csv; ..."),
        ("x.csv! y.csv!", ""),
    ] {
        // Those with a mark have labels.
        let input = |name: &str| match name.strip_suffix('!') {
            Some(name) => (name.to_string(), true),
            None => (name.to_string(), false),
        };
        let inputs: Vec<(String, bool)> = names.split(' ').map(input).collect();
        let found = expect_records(&inputs).map_or_else(|asked| asked.sentence, |()| "".into());
        match expected.strip_suffix("...") {
            Some(start) => assert!(found.starts_with(start), "{found}"),
            None => assert_eq!(found, expected),
        }
    }
}

#[test]
fn a_set_or_part_that_is_wanted() {
    let names = "train.csv test.csv subject_train.csv subject_test.csv";
    assert_eq!(read(names, NamesOf::Files, Some("train"), true), "train.csv");
    let names = "digits-train.csv my-digits-train.csv";
    assert_eq!(read(names, NamesOf::Files, Some("digits-train"), true), "digits-train.csv");
    let names = "a-letters-train.csv a-letters-test.csv a-digits-train.csv";
    for (wanted, said) in [
        ("letters", "train = a-letters-train.csv; test = a-letters-test.csv"),
        ("letters-train", "a-letters-train.csv"),
        (
            "digits-t10k",
            "? there is no digits-t10k in this folder: part(\"a-digits\") part(\"a-letters\")",
        ),
        ("train", "? this folder has several data sets: part(\"a-digits\") part(\"a-letters\")"),
        ("other", "? there is no other in this folder: part(\"a-digits\") part(\"a-letters\")"),
    ] {
        assert_eq!(read(names, NamesOf::Files, Some(wanted), true), said, "{wanted}");
    }
    assert_eq!(read("train.csv test.csv", NamesOf::Files, Some("t10k"), true), "test.csv");
    let lacking = "? there is no val in this folder: part(\"train\") part(\"test\")";
    assert_eq!(read("train.csv test.csv", NamesOf::Files, Some("val"), true), lacking);
}

#[test]
fn files_of_classes() {
    for (names, levels) in [
        ("cat.npy dog.npy", &[0][..]),
        ("0-idx3-ubyte 1.idx 2.npy.gz", &[0]),
        ("train/cat.npy test/dog.npy", &[1]),
        ("cat/0.npy dog/1.npy", &[0, 1]),
        ("cat/data.npy dog/data.npy", &[0]),
        ("images/a.npy labels/a.npy", &[]),
        ("cat.npy", &[]),
        ("cat.npy a/dog.npy", &[]),
        ("cat.csv dog.csv", &[0]),
        ("cat/1.tsv cat/2.tsv dog/1.tsv", &[0]),
        ("part-0.csv part-1.csv", &[]),
        ("cat.parquet dog.parquet", &[]),
        ("cat.npz dog.npz", &[]),
        ("a.npy y.npy", &[]),
        ("data_1.npy data_2.npy", &[]),
        ("train.npy train2.npy", &[]),
        ("train_test.npy cat.npy", &[]),
    ] {
        let names: Vec<String> = names.split(' ').map(str::to_string).collect();
        assert_eq!(levels_of_classes(&names), levels, "{names:?}");
    }
    for (names, level, expected) in [
        ("cat.npy dog.npy.gz", 0, "None cat, None dog"),
        ("train/cat.npy test/cat.npy", 1, "Train cat, Test cat"),
        ("train/cat/0.npy test/dog/0.npy", 1, "Train cat, Test dog"),
        ("train/cat.npy test/cat.npy", 0, "None train, None test"),
        ("cat.npy dog.npy", 1, "?"),
        // Failed before: these parts were joined.
        ("cat/train.npy cat/test_1.npy", 0, "Train cat, Test cat"),
        // Failed before: one part had no name.
        ("train/cat.npy other/dog.npy", 1, "?"),
    ] {
        let names: Vec<String> = names.split(' ').map(str::to_string).collect();
        let found = by_class(&names, level).map_or("?".to_string(), |found| {
            let found = found.iter().map(|(part, class)| format!("{part:?} {class}"));
            found.collect::<Vec<_>>().join(", ")
        });
        assert_eq!(found, expected, "{names:?}");
    }
}

//! The parts and classes of folders: tables of cases.

use super::*;

/// Returns the folders and pictures of these paths. A path that ends in .csv is a list for everything below its folder;
/// the words after `classes=` are a list of classes at the top.
fn branches(paths: &[&str]) -> Vec<Branch> {
    let mut branches: Vec<Branch> = Vec::new();
    let classes = || paths.iter().find_map(|path| path.strip_prefix("classes="));
    let is_class =
        |name: &str| classes().into_iter().flat_map(|all| all.split(',')).any(|one| one == name);
    for path in paths.iter().filter(|path| !path.ends_with(".csv") && !path.starts_with("classes="))
    {
        let mut folders: Vec<String> = path.split('/').map(String::from).collect();
        let picture = PathBuf::from(folders.pop().unwrap());
        let list = paths
            .iter()
            .filter(|list| list.ends_with(".csv"))
            .find(|list| path.starts_with(list.rsplit_once('/').map_or("", |(folder, _)| folder)));
        match branches.iter_mut().find(|branch| branch.folders == folders) {
            Some(branch) => branch.pictures.push(picture),
            None => branches.push(Branch {
                named: (0..folders.len()).filter(|level| is_class(&folders[*level])).collect(),
                // A folder of this name is a second input.
                input: usize::from(folders.first().is_some_and(|first| first == "second")),
                folders: folders.into_iter().filter(|name| name != "second").collect(),
                pictures: vec![picture],
                list: list.map(PathBuf::from),
            }),
        }
    }
    branches
}

/// Returns `train:cat` for each branch, and the statements; or the question with its answers.
fn read(paths: &str, labels: LabelsFrom<'_>) -> [String; 2] {
    let paths: Vec<String> = paths.split(' ').map(|path| path.replace('\'', " ")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    match understand(&branches(&paths), labels) {
        Ok((found, said)) => {
            let place = |place: &Place| {
                format!("{}:{}", place.part.name(), place.class.as_deref().unwrap_or_default())
            };
            let said: Vec<&str> = said.statements.iter().map(|one| one.text.as_str()).collect();
            let found: Vec<String> = found.iter().map(place).collect();
            [found.join(" "), said.join("; ")]
        }
        Err(question) => {
            let answers = question.answers.iter().map(|one| one.option.to_string());
            [
                "?".to_string(),
                format!("{}: {}", question.sentence, answers.collect::<Vec<_>>().join(" ")),
            ]
        }
    }
}

#[test]
fn folders_are_parts_classes_or_neither() {
    for (paths, places, said) in [
        ("cat/0.png dog/0.png", ":cat :dog", "classes are the folders cat, dog"),
        ("10/0.png 9/0.png", ":10 :9", "classes are the folders 10, 9"),
        // Wrappers, above and below.
        (
            "a/a/cat/0.png a/a/dog/0.png",
            ":cat :dog",
            "a is not a class; classes are the folders cat, dog",
        ),
        (
            "a/cat/0.png a/dog/0.png",
            ":cat :dog",
            "a is not a class; classes are the folders cat, dog",
        ),
        (
            "cat/images/0.png dog/images/0.png",
            ":cat :dog",
            "images is not a class; classes are the folders cat, dog",
        ),
        (
            "a/b/c/cat/0.png a/b/c/dog/0.png",
            ":cat :dog",
            "a, b, c are not classes; classes are the folders cat, dog",
        ),
        // Parts at any level.
        (
            "train/cat/0.png train/dog/0.png test/cat/0.png",
            "train:cat train:dog test:cat",
            "train, test; classes are the folders cat, dog",
        ),
        (
            "train/cat/0.png test/dog/0.png",
            "train:cat test:dog",
            "train, test; classes are the folders cat, dog",
        ),
        (
            "cat/train/0.png cat/dev/0.png dog/train/0.png",
            "train:cat val:cat train:dog",
            "train, val; classes are the folders cat, dog",
        ),
        (
            "seg_train/seg_train/A/0.png seg_test/seg_test/B/0.png",
            "train:A test:B",
            "train, test; classes are the folders A, B",
        ),
        (
            "trainingSet/0/0.png testSet/1/0.png",
            "train:0 test:1",
            "train, test; classes are the folders 0, 1",
        ),
        (
            "train_images/0/0.png test/1/0.png",
            "train:0 test:1",
            "train, test; classes are the folders 0, 1",
        ),
        (
            "data/Train/cat/0.png data/holdout/dog/0.png",
            "train:cat test:dog",
            "train, test; data is not a class; classes are the folders cat, dog",
        ),
        (
            "train/cat/0.png train/dog/0.png",
            "train:cat train:dog",
            "train; classes are the folders cat, dog",
        ),
        // More words after the part.
        (
            "train_v2/cat/0.png train_v2/dog/0.png test_v2/cat/0.png test_v2/dog/0.png",
            "train:cat train:dog test:cat test:dog",
            "train, test; classes are the folders cat, dog",
        ),
        (
            "cat/train_clean/0.png cat/test_clean/0.png dog/train_clean/0.png",
            "train:cat test:cat train:dog",
            "train, test; classes are the folders cat, dog",
        ),
        ("trainA/0.png testA/0.png", "train: test:", "train, test; no label"),
        // Things that are not parts.
        (
            "dev'board/0.png test'board/0.png",
            ":dev board :test board",
            "classes are the folders dev board, test board",
        ),
        (
            "dev'board/0.png pi/0.png test'board/0.png",
            ":dev board :pi :test board",
            "classes are the folders dev board, pi, test board",
        ),
        (
            "train_station/0.png train_track/0.png",
            ":train_station :train_track",
            "classes are the folders train_station, train_track",
        ),
        (
            "train_2_dogs/0.png training_3_dogs/0.png",
            ":train_2_dogs :training_3_dogs",
            "classes are the folders train_2_dogs, training_3_dogs",
        ),
        // A folder around the classes of one part.
        (
            "train/images/cat/0.png train/images/dog/0.png test/cat/0.png test/dog/0.png",
            "train:cat train:dog test:cat test:dog",
            "train, test; images is not a class; classes are the folders cat, dog",
        ),
        (
            "train/imgs/cat/0.png train/imgs/dog/0.png test/imgs/dog/0.png val/cat/0.png val/dog/0.png",
            "train:cat train:dog test:dog val:cat val:dog",
            "train, test, val; imgs is not a class; classes are the folders cat, dog",
        ),
        (
            "train/train/cat/0.png train/train/dog/0.png test/cat/0.png test/dog/0.png",
            "train:cat train:dog test:cat test:dog",
            "train, test; train is not a class; classes are the folders cat, dog",
        ),
        // The same around one input.
        (
            "images/cat/0.png images/dog/0.png second/cat/0.png second/dog/0.png",
            ":cat :dog :cat :dog",
            "images is not a class; classes are the folders cat, dog",
        ),
        // Names that only look like parts.
        ("bus/0.png train/0.png", ":bus :train", "classes are the folders bus, train"),
        (
            "bullet_train/0.png litmus_test/0.png",
            ":bullet_train :litmus_test",
            "classes are the folders bullet_train, litmus_test",
        ),
        (
            "train_station/0.png bus_stop/0.png",
            ":train_station :bus_stop",
            "classes are the folders bus_stop, train_station",
        ),
        // The class is above, as torchvision walks.
        (
            "cat/0.png cat/more/1.png dog/0.png",
            ":cat :cat :dog",
            "classes are the folders cat, dog; pictures in the folders more below are of the classes above",
        ),
        (
            "cat/0.png dog/dog/0.png",
            ":cat :dog",
            "classes are the folders cat, dog; pictures in the folders dog below are of the classes above",
        ),
        (
            "cat/cat/0.png second/dog/0.png",
            ":cat :dog",
            "classes are the folders cat, dog; pictures in the folders cat below are of the classes above",
        ),
        // Letters in upper and lower case, both in one part.
        (
            "train/A/0.png train/a/0.png test/a/0.png",
            "train:A train:a test:a",
            "train, test; classes are the folders A, a",
        ),
        // A part that lacks the numbers, or the letters.
        (
            "train/7/0.png train/A/0.png test/A/0.png",
            "train:7 train:A test:A",
            "train, test; classes are the folders 7, A",
        ),
        // Two levels that are the same.
        ("cat/cat/0.png dog/dog/0.png", ":cat :dog", "classes are the folders cat, dog"),
        (
            "label_0/0.png label_1/0.png",
            ":label_0 :label_1",
            "classes are the folders label_0, label_1",
        ),
        ("x/0.png y/0.png", ":x :y", "classes are the folders x, y"),
        // Lists.
        ("0.png labels.csv cat/1.png", ": :", "labels are in labels.csv"),
        (
            "train/a/0.png test/1.png train/labels.csv",
            "train: test:",
            "train, test; a is not a class; labels are in labels.csv",
        ),
        // Names in a list of classes, whatever else they may be.
        (
            "train/0.png test/0.png classes=test,train",
            ":train :test",
            "classes are the folders test, train",
        ),
        (
            "train/test/0.png train/train/0.png test/test/0.png classes=test,train",
            "train:test train:train test:test",
            "train, test; classes are the folders test, train",
        ),
        (
            "images/0.png masks/0.png classes=images,masks,other",
            ":images :masks",
            "classes are the folders images, masks",
        ),
        (
            "train/train/0.png train/cat/0.png test/unknown/0.png classes=cat,train,unknown",
            "train:train train:cat test:unknown",
            "train, test; classes are the folders cat, train, unknown",
        ),
        (
            "train/cat/0.png test/cat/0.png classes=cat,dog",
            "train:cat test:cat",
            "train, test; classes are the folders cat",
        ),
        (
            "train/imgs/cat/0.png test/cat/0.png classes=cat,dog",
            "train:cat test:cat",
            "train, test; imgs is not a class; classes are the folders cat",
        ),
        (
            "land/cat/0.png sea/eel/0.png classes=cat,eel",
            ":cat :eel",
            "land, sea are not classes; classes are the folders cat, eel",
        ),
        (
            "train/imgs/cat/0.png train/imgs/dog/0.png test/images/cat/0.png",
            "train:cat train:dog test:cat",
            "train, test; imgs, images are not classes; classes are the folders cat, dog",
        ),
        // Kaggle's test part has no classes.
        (
            "trainingSet/trainingSet/3/0.png trainingSet/trainingSet/7/0.png testSet/testSet/0.png",
            "train:3 train:7 test:",
            "train, test; classes are the folders 3, 7; test without labels",
        ),
        (
            "train/cat/0.png train/dog/0.png test/images/0.png val/1.png",
            "train:cat train:dog test: val:",
            "train, test, val; classes are the folders cat, dog; test, val without labels",
        ),
        (
            "train/cat/0.png train/dog/0.png train/unknown/0.png test/unknown/0.png",
            "train:cat train:dog train:unknown test:unknown",
            "train, test; classes are the folders cat, dog, unknown",
        ),
        (
            "train/cat/0.png train/dog/0.png test/Unlabeled/0.png val/val/0.png",
            "train:cat train:dog test: val:",
            "train, test, val; classes are the folders cat, dog; test, val without labels",
        ),
        // Flat.
        ("0.png 1.png", ":", "no label"),
        ("images/0.png images/1.png", ":", "images is not a class; no label"),
        ("train/0.png test/1.png", "train: test:", "train, test; no label"),
        ("train/images/0.png test/1.png", "train: test:", "train, test; no label"),
        (
            "train/unknown/0.png train/dog/0.png test/1.png",
            "train:unknown train:dog test:",
            "train, test; classes are the folders dog, unknown; test without labels",
        ),
        (
            "train/unknown/0.png train/unlabeled/1.png test/2.png classes=unknown,unlabeled",
            "train:unknown train:unlabeled test:",
            "train, test; classes are the folders unknown, unlabeled; test without labels",
        ),
        // Names that may have the labels.
        (
            "cat_0.png cat_1.png dog_0.png dog_1.png",
            ":",
            "no label; the names of the files begin with cat, dog, which would be their labels by the pattern `{}_*`",
        ),
        (
            "0_cat.png 1_cat.png 0_dog.png 1_dog.png",
            ":",
            "no label; the names of the files end with cat, dog, which would be their labels by the pattern `*_{}`",
        ),
        (
            "i_1_7.jpg i_2_7.jpg i_1_8.jpg i_2_8.jpg",
            ":",
            "no label; the names of the files end with 7, 8, which would be their labels by the pattern `*_{}`",
        ),
        (
            "Abyssinian_1.jpg Abyssinian_2.jpg hot_dog_1.jpg hot_dog_2.jpg",
            ":",
            "no label; the names of the files begin with Abyssinian, hot_dog, which would be their labels by the pattern \
             `{}_*`",
        ),
        (
            "7_jackson_0.png 7_jackson_1.png 8_george_0.png 8_jackson_0.png",
            ":",
            "no label; the names of the files begin with 7, 8, which would be their labels by the pattern `{}_*_*`",
        ),
        ("img_0.png img_1.png", ":", "no label"),
        ("a-b_0.png a_1.png c_2.png c_3.png", ":", "no label"),
        ("0.jpg 0.png 1.png", ":", "no label"),
        ("1.png 1_any.png", ":", "no label"),
        (
            "train/0_a.png train/1.png test/0_a.png test/1.png",
            "train: test:",
            "train, test; no label",
        ),
        ("1.png 1_any.png 2.png", ":", "no label"),
        ("1.png 1_2.png 2.png 2_2.png", ":", "no label"),
    ] {
        assert_eq!(read(paths, LabelsFrom::Anywhere), [places, said], "{paths}");
    }
}

#[test]
fn what_may_be_meant_otherwise_is_asked() {
    for (paths, question) in [
        (
            "train/a/0.png train/b/0.png training/a/0.png",
            "the folders train and training are both the part train: skip(\"training\") skip(\"train\")",
        ),
        (
            "train/test/0.png train/train/0.png test/test/0.png",
            "the folders train and test in it name two parts: skip(\"./train/test\")",
        ),
        (
            "val/0.png test/val/0.png",
            "the folders test and val in it name two parts; give only test: ",
        ),
        (
            "x/train/val/a/0.png x/train/val/b/0.png",
            "the folders train and val in it name two parts; give only x/train: ",
        ),
        (
            "train/a/0.png train/b/0.png extra/a/0.png",
            "the folder train is a part of a data set, but extra next to it may not belong to the set; move all files \
             of a part into one folder: skip(\"extra\") label_column(\"0\")",
        ),
        (
            "train/a/0.png train/b/0.png extra/a/0.png classes=a,b",
            "the folder train is a part of a data set, but extra next to it may not belong to the set; move all files \
             of a part into one folder: skip(\"extra\") label_column(\"0\")",
        ),
        // Pictures of a competition, without classes.
        (
            "seg_train/seg_train/a/0.png seg_train/seg_train/b/0.png seg_test/seg_test/a/0.png seg_pred/seg_pred/0.png",
            "the folder seg_test is a part of a data set, but seg_pred next to it may not belong to the set; move all \
             files of a part into one folder: skip(\"seg_pred\") label_column(\"1\")",
        ),
        (
            "train/a/0.png train/b/0.png unlabeled/0.png more/0.png",
            "the folder train is a part of a data set, but more next to it may not belong to the set; move all files \
             of a part into one folder: skip(\"more,unlabeled\") skip(\"train\") label_column(\"0\")",
        ),
        (
            "train/0.png test/0.png unlabeled/0.png",
            "the folder test is a part of a data set, but unlabeled next to it may not belong to the set; move all \
             files of a part into one folder: skip(\"unlabeled\") label_column(\"0\")",
        ),
        (
            "trainval/0.png test/0.png",
            "the folder test is a part of a data set, but trainval next to it may not belong to the set; move all \
             files of a part into one folder: skip(\"trainval\") label_column(\"0\")",
        ),
        (
            "train/a/0.png train/b/0.png second/b/0.png second/c/0.png",
            "one input has the part train, and another the folder b, which is not a part; give only one part of the \
             first: ",
        ),
        (
            "trainA/0.png trainB/0.png testA/0.png testB/0.png",
            "the folder testA is a part of a data set, but testB next to it may not belong to the set; move all files \
             of a part into one folder: skip(\"testB,trainB\") label_column(\"0\")",
        ),
        // Some pictures of Kaggle's, once more.
        (
            "trainingSet/trainingSet/3/0.png trainingSet/trainingSet/7/0.png testSet/testSet/0.png \
             trainingSample/trainingSample/3/0.png trainingSample/trainingSample/7/0.png",
            "the folder testSet is a part of a data set, but trainingSample next to it may not belong to the set; move \
             all files of a part into one folder: skip(\"trainingSample\") label_column(\"1\")",
        ),
        (
            "cat/0.png dog/0.png images_of/cat/0.png images_of/dog/0.png",
            "the folder images_of has a folder cat in it, and one next to it: skip(\"images_of\") label_column(\"0\")",
        ),
        (
            "cat/0.png valid/cat/0.png",
            "the folder valid has a folder cat in it, and one next to it: skip(\"valid\") label_column(\"0\")",
        ),
        (
            "train/Cat/0.png train/dog/0.png test/cat/0.png test/dog/0.png",
            "the classes Cat and cat may be one class; rename one of them: label_column(\"1\")",
        ),
        (
            "train/0/0.png train/1/0.png test/cat/0.png",
            "the classes of one input or part are numbers, such as 0, and those of another are names, such as cat: label_column(\"1\")",
        ),
        (
            "0/0.png 1/0.png second/cat/0.png second/dog/0.png",
            "the classes of one input or part are numbers, such as 0, and those of another are names, such as cat: label_column(\"0\")",
        ),
        // Only of folders that are named for records each part may have its own.
        (
            "train/foo/cat/0.png train/foo/dog/0.png test/images/cat/0.png",
            "the folder images may not be a class: skip(\"foo\") skip(\"images\") label_column(\"1\")",
        ),
        (
            "images/0.png masks/0.png",
            "the folder images may not be a class: skip(\"masks\") skip(\"images\") label_column(\"0\")",
        ),
        (
            "cat/0.png dog/0.png masks/0.png",
            "the folder masks may not be a class: skip(\"masks\") label_column(\"0\")",
        ),
        (
            "train/masks/cat/0.png train/masks/dog/0.png test/cat/0.png test/dog/0.png",
            "the folder masks may not be a class: skip(\"masks\") label_column(\"1\")",
        ),
        (
            "cat/0.png dog/0.png results/0.png",
            "the folder results may not be a class: skip(\"results\") label_column(\"0\")",
        ),
        (
            "train/cat/0.png train/dog/0.png test/other/0.png",
            "all pictures of test are in the folder other, which no other part has; move them out of it if they have no \
             labels: label_column(\"1\") skip(\"test\")",
        ),
        (
            "cat/0.png cat/0_mask.png dog/1.png",
            "0_mask may belong to 0 next to it: skip(\"*_mask*\") label_column(\"0\")",
        ),
        ("0.png 0-mask.png", "0-mask may belong to 0 next to it: skip(\"*-mask*\") labels(false)"),
        ("1.png 1_gt.png", "1_gt may belong to 1 next to it: skip(\"*_gt*\") labels(false)"),
        (
            "1.png 1_ground_truth.png 2.png",
            "1_ground_truth may belong to 1 next to it: skip(\"*_ground_truth*\") labels(false)",
        ),
        (
            "cat/1.png cat/1'(mask).png cat/2(mask).png dog/2.png",
            "1 (mask) may belong to 1 next to it: skip(\"* (mask)*\") label_column(\"0\")",
        ),
        (
            "cat/1.png cat/1_mask.png cat/1_mask_1.png dog/2.png",
            "1_mask may belong to 1 next to it: skip(\"*_mask*\") label_column(\"0\")",
        ),
        // Each picture has a second one.
        (
            "1.png 1_any.png 2.png 2_any.png",
            "1_any may belong to 1 next to it: skip(\"*_any*\") labels(false)",
        ),
        (
            "cat/0.png cat/thumbs/0.png dog/1.png",
            "the pictures in the folder thumbs may not be of cat: skip(\"thumbs\") label_column(\"0\")",
        ),
        (
            "cat/0.png dog/0.png backup/0.png",
            "the folder backup may not be a class: skip(\"backup\") label_column(\"0\")",
        ),
        (
            "land/cat/0.png land/dog/0.png sea/eel/0.png",
            "several levels of folders may be the classes: label_column(\"0\") label_column(\"1\")",
        ),
        (
            "cat/0.png cat/1.png",
            "all pictures are in the folder cat: label_column(\"0\") labels(false)",
        ),
        (
            "train/cat/0.png test/cat/1.png",
            "all pictures are in the folder cat: label_column(\"1\") labels(false)",
        ),
        (
            "0.png cat/1.png",
            "there are pictures next to the folder cat: skip(\"cat\") skip(\"./*.png\") labels(false)",
        ),
        (
            "0.png second/cat/0.png second/dog/0.png",
            "one input has only pictures, and another has them in the folder cat; convert each on its own: \
             labels(false)",
        ),
        (
            "train/cat/0.png train/dog/0.png test/cat/0.png test/dog/0.png test/1.png",
            "there are pictures next to the folder test/cat: skip(\"test/cat,test/dog\") skip(\"./test/*.png\") \
             labels(false)",
        ),
        (
            "0.png 1.png 2.jpg cat/0.png dog/0.png",
            "there are pictures next to the folder cat: skip(\"cat,dog\") skip(\"./*.jpg,./*.png\") labels(false)",
        ),
        // Failed before: all classes were an answer.
        (
            "0.png 1/a.png 2/a.png 3/a.png 4/a.png 5/a.png 6/a.png 7/a.png 8/a.png 9/a.png",
            "there are pictures next to the folder 1: skip(\"./*.png\") labels(false)",
        ),
        // Kaggle's plant diseases.
        (
            "plants/plants/train/a/0.png plants/plants/valid/a/0.png test/test/0.png",
            "the folder plants has folders in it (train, valid), and test next to it has pictures of its own: \
             skip(\"test\") label_column(\"1\")",
        ),
        (
            "a/train/0.png a/test/0.png b/0.png c/0.png",
            "the folder a has folders in it (test, train), and b next to it has pictures of its own: skip(\"b,c\") \
             label_column(\"0\")",
        ),
        // Pictures to test with, next to the classes.
        (
            "cat/0.png dog/0.png test/1.png",
            "the folder test is a part of a data set, but cat next to it may not belong to the set; move all files of \
             a part into one folder: skip(\"cat,dog\") skip(\"test\") label_column(\"0\")",
        ),
        // Pictures with several kinds of masks.
        (
            "JPEGImages/0.jpg SegmentationClass/0.png SegmentationObject/0.png",
            "the folder JPEGImages may not be a class: skip(\"SegmentationClass,SegmentationObject\") skip(\"JPEGImages\") \
             label_column(\"0\")",
        ),
        // Masks in each class.
        (
            "a/images/0.png a/masks/0.png b/images/0.png b/masks/0.png",
            "the folder images may not be a class: skip(\"masks\") skip(\"images\") label_column(\"1\")",
        ),
        // Copies, including those in folders of their own names.
        (
            "all/pics/cat/0.png all/pics/dog/0.png pics/cat/0.png pics/dog/0.png",
            "the folder all has a folder pics in it, and one next to it: skip(\"all\") label_column(\"0\")",
        ),
        (
            "cells/a/0.png cells/b/0.png cells/cells/a/0.png cells/cells/b/0.png",
            "the folder cells has a folder a in it, and one next to it: skip(\"./cells/cells\") label_column(\"1\")",
        ),
        (
            "x/train/a/0.png x/train/b/0.png x/test/a/0.png x/x/train/a/0.png",
            "the folder test is a part of a data set, but x next to it may not belong to the set; move all files of a \
             part into one folder: skip(\"./x/x\") label_column(\"1\")",
        ),
        (
            "cat/0.png cat/cat/0.png dog/0.png",
            "the folder cat has pictures in it, and a folder cat with others: skip(\"./cat/cat\") label_column(\"0\")",
        ),
        // Other pictures next to the classes.
        (
            "digits/0/0.png digits/1/0.png more/0.png",
            "the folder digits has folders in it (0, 1), and more next to it has pictures of its own: skip(\"more\") \
             label_column(\"0\")",
        ),
        (
            "cat/0.png cat'(1)/0.png dog/0.png",
            "the folder cat (1) may be a copy of cat; move its pictures there if they are other ones: skip(\"cat (1)\") \
             label_column(\"0\")",
        ),
        (
            "cat/0.png dog/0.png unlabeled/0.png",
            "the folder unlabeled may not be a class: skip(\"unlabeled\") label_column(\"0\")",
        ),
        // An archive in several pieces.
        (
            "images_001/0.png images_002/0.png",
            "the folder images_001 may not be a class: labels(false) label_column(\"0\")",
        ),
        (
            "archive/a/0.png archive/b/0.png archive'(1)/a/0.png archive'(1)/b/0.png",
            "the folder archive may not be a class: label_column(\"1\") skip(\"archive (1)\") skip(\"archive\") \
             label_column(\"0\")",
        ),
        (
            "set_images_1/a/0.png set_images_2/a/0.png set_images_3/b/0.png",
            "the folder set_images_1 may not be a class: label_column(\"1\") skip(\"set_images_1\") label_column(\"0\")",
        ),
        (
            "set_images_1/0.png set_images_2/0.png",
            "the folder set_images_1 may not be a class: labels(false) label_column(\"0\")",
        ),
        (
            "cat/0.png cat/1.png dog/0.jpg dog/0.png dog/1.jpg dog/1.png",
            "each picture has another of the same name next to it (*.jpg and *.png): skip(\"*.png\") skip(\"*.jpg\") \
             label_column(\"0\")",
        ),
        (
            "a/0.png a/labels.csv b/0.png",
            "labels.csv has labels for some folders and not for the pictures in b: skip(\"labels.csv\") labels(false)",
        ),
    ] {
        let [found, asked] = read(paths, LabelsFrom::Anywhere);
        assert_eq!([found.as_str(), &asked], ["?", question], "{paths}");
    }
}

#[test]
fn options_win_over_what_is_found() {
    let (first, second, third) = (Column::Index(0), Column::Index(1), Column::Index(2));
    let name = Column::Name("land".to_string());
    let paths = "land/cat/0.png land/dog/0.png sea/eel/0.png";
    let level = LabelsFrom::Level;
    for (labels, places) in [
        (level(&first), ":land :land :sea"),
        (level(&second), ":cat :dog :eel"),
        (LabelsFrom::Nowhere, ": : :"),
        (LabelsFrom::Elsewhere, ": : :"),
        (level(&third), "?"),
        (level(&name), "?"),
    ] {
        assert_eq!(read(paths, labels)[0], places, "{labels:?}");
    }
    assert_eq!(read("0.png labels.csv", level(&first)), [":", "labels are in labels.csv"]);
    let images = "images/0.png masks/0.png";
    assert_eq!(read(images, level(&first))[0], ":images :masks");
    assert_eq!(read("cat/0.png", level(&first))[0], ":cat");
    assert_eq!(read("0.png cat/1.png", LabelsFrom::Nowhere)[0], ": :");
    assert_eq!(read("cat/0.png cat/a/1.png dog/2.png", level(&first))[0], ":cat :cat :dog");
    assert_eq!(read("cat/0.png cat/a/1.png dog/2.png", level(&second))[0], "?");
}

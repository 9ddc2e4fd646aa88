//! The roles of columns: tables of cases.

use super::*;
use crate::reading::header::names;
use crate::reading::text::split;

fn understand(text: &str, purpose: Purpose, known: &Known<'_>) -> Result<Roles, Question> {
    let (split, rows) = split(text, true, known)?;
    roles(&names(&split, rows, known)?, purpose, known)
}

/// Calls `then` with one more option.
fn with<T>(known: &Known<'_>, option: &ReadingOption, then: impl FnOnce(&Known<'_>) -> T) -> T {
    match option {
        ReadingOption::Header(header) => then(&Known { header: Some(*header), ..*known }),
        ReadingOption::LabelColumn(column) => then(&Known { label_column: Some(column), ..*known }),
        ReadingOption::Column(column) => then(&Known { column: Some(column), ..*known }),
        ReadingOption::Skip(columns) => then(&Known { skip: Some(columns), ..*known }),
        ReadingOption::SkipNone => then(&Known { skip: Some(&[]), ..*known }),
        ReadingOption::NoLabels => then(&Known { no_labels: true, ..*known }),
        ReadingOption::Shape(sizes) => then(&Known { shape: Some(sizes), ..*known }),
        other => panic!("{other}"),
    }
}

/// Returns the roles that these options state.
fn pinned(text: &str, purpose: Purpose, known: &Known<'_>, options: &[ReadingOption]) -> Vec<Role> {
    match options {
        [] => {
            understand(text, purpose, known)
                .unwrap_or_else(|error| panic!("{text}{error:?}"))
                .columns
        }
        [first, rest @ ..] => with(known, first, |known| pinned(text, purpose, known, rest)),
    }
}

/// Returns a letter for each column (`.` a number of the record, `L` label, `N` name of the class, `K` key, `-` left
/// out) and the statements; or `?` and the question with its answers.
fn read(text: &str, purpose: Purpose, known: &Known<'_>) -> String {
    let found = understand(text, purpose, known);
    // Each answer goes with the known options. Neither the same question follows, nor one about a column that is not
    // there.
    for answer in found.as_ref().err().iter().flat_map(|question| &question.answers) {
        let option = &answer.option;
        let is_label = matches!(option, ReadingOption::LabelColumn(_));
        assert!(!(is_label && known.no_labels), "{text}{option} is no answer without labels");
        let next = with(known, option, |known| understand(text, purpose, known)).err();
        let is_same = next.is_some() && next.as_ref() == found.as_ref().err();
        let sentence = next.map(|next| next.sentence).unwrap_or_default();
        let is_lost = sentence.starts_with("there is no column");
        assert!(!is_same && !is_lost, "{text}{option} does not answer: {sentence}");
    }
    match found {
        Ok(found) => {
            let pinned = pinned(text, purpose, known, &found.said.options);
            // With these options, columns that reading would verify are just left out.
            let same = |role: &Role| match role {
                Role::SameLabel | Role::RowNumber | Role::Empty => Role::LeftOut,
                role => *role,
            };
            let columns: Vec<Role> = found.columns.iter().map(same).collect();
            assert_eq!(pinned, columns, "{text}{:?}", found.said.options);
            // What is not there is said of records alone.
            let says = |option| found.said.options.contains(&option);
            let is_bare = found.label.is_none() && !found.one_hot;
            let are_records = purpose == Purpose::Records;
            assert_eq!(says(ReadingOption::NoLabels), is_bare && are_records, "{text}");
            assert!(are_records || !says(ReadingOption::SkipNone), "{text}");
            let letters = found.columns.iter().map(|role| match role {
                Role::Element => '.',
                Role::Label => 'L',
                Role::ClassName => 'N',
                Role::Key => 'K',
                Role::SameLabel | Role::RowNumber | Role::Empty | Role::LeftOut => '-',
            });
            let said = found.said.statements.iter().map(|said| said.text.as_str());
            let said: Vec<&str> = said.collect();
            format!("{} {}", letters.collect::<String>(), said.join("; ")).trim().to_string()
        }
        Err(question) => {
            let answers = question.answers.iter().map(|answer| answer.option.to_string());
            let answers: Vec<String> = answers.collect();
            format!("? {} | {}", question.sentence, answers.join(" ")).trim().to_string()
        }
    }
}

fn records(text: &str) -> String {
    read(text, Purpose::Records, &Known::default())
}

/// Checks all cases of a table; an expected text may end with `..`.
#[track_caller]
fn expect<'a>(cases: impl IntoIterator<Item = (&'a str, String, &'a str)>) {
    let is_other = |(_, found, expected): &(&str, String, &str)| match expected.strip_suffix("..") {
        Some(start) => !found.starts_with(start),
        None => found != expected,
    };
    let others = cases.into_iter().filter(is_other);
    let others = others.map(|(text, found, expected)| format!("{text}{found}\nnot {expected}\n"));
    let others: Vec<String> = others.collect();
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn tables_of_records() {
    let cases = [
        // As the command writes them.
        (
            "label,a\n1,5\n01,6\n",
            "? `label` has 1 and 01; write them in one way | label_column(\"label\")",
        ),
        ("label,a\n01,5\n02,6\n", "L. label `label`"),
        ("label,a\n1,5\n01,6\nx,7\n", "L. label `label`"),
        (
            "label,a\n10,5\n1e1,6\n",
            "? `label` has 10 and 1e1; write them in one way | label_column(\"label\")",
        ),
        ("label,a\n10,5\n1.0e1,6\n10.0,7\n", "L. label `label`"),
        // Sums, apart from rounding; other numbers below a new word; and a single column, where a sum may be chance.
        (
            "label,a,b\nx,100000.1,1\ny,200000.2,2\nx,300000.3,3\nall,600000.6,6\n",
            "? record 3 (all) has the sums of the others; remove it | label_column(\"label\")",
        ),
        ("label,a,b\nx,1,2\ny,3,4\nx,4,1\nz,9,9\n", "L.. label `label`"),
        ("label,a\nx,1\ny,3\nx,4\nz,8\n", "L. label `label`"),
        ("label,a,b\n7,1,2\n8,3,4\n9,1,1\n5,5,7\n", "L.. label `label`"),
        // Numbers that rise, except for two rows.
        (
            "t,a,b\n1.5,1,2\n2.5,1,2\n3.5,1,2\n4.5,1,2\n4.5,3,2\n5.5,1,2\n6.5,1,2\n7.5,1,2\n8.5,1,2\n9.5,1,2\n",
            "... no label",
        ),
        // Large numbers, but not larger than all others.
        ("1000,5,1000\n1003,6,7\n1001,8,9\n", "... no label; no names of columns"),
        (
            "1001,5,1000\n1003,6,7\n1002,8,9\n",
            "? column 0 may number or group the records, or be a value | skip(\"0\") skip(\"none\") label_column(\"0\")",
        ),
        ("label,a\n1e5,5\n3e7,6\n", "L. label `label`"),
        (
            "label,a\n1,5\nnan,6\n",
            "? record 1 has no label in `label`; add it, or remove the record |",
        ),
        (
            "label,a,b\ncat,1,2\ndog,3,4.5\neel,1,1\nSumme,5,7.5\n",
            "? record 3 (Summe) has the sums of the others; remove it | label_column(\"label\")",
        ),
        ("label,a,b\ncat,1,2\ndog,3,4\neel,4,6\n", "L.. label `label`"),
        ("label,a,b\ncat,1,2\ndog,3,4\neel,1,1\ncat,5,7\n", "L.. label `label`"),
        ("label,a,b\n,1,2\n,3,4\n", "-.. `label` left out: no values; no label"),
        (
            "Class 5b;;\nlabel;a;b\ncat;1;2\ndog;3;4\n",
            "? line 1 (Class 5b, , ) has no names for some columns, so it may be a title | header(true) header(false)",
        ),
        (
            "Features,,Target\na,b,label\n1,2,cat\n3,4,dog\n",
            "? line 1 (Features, , Target) has no names for some columns, so it may be a title | header(true) header(false)",
        ),
        (",,\na,b,label\n1,2,0\n3,4,1\n", "? line 1 (, , ) has no names for some columns.."),
        (
            "a,b,\n1,2,cat\n3,4,dog\n5,1,dog\n",
            "? line 1 (a, b, ) has no names for some columns, so it may be a title | header(true) header(false)",
        ),
        // A record with a mark in place of a number below it.
        (
            "5,,1\n-,3,2\n4,5,1\n7,5,1\n",
            "? column 0 has words (- in record 1), and a record has numbers..",
        ),
        ("label,1x1,1x2\n7,1,2\n", "L.. label `label`"),
        ("label,x1,x2\n7,NaN,inf\n3,1,2\n", "L.. label `label`"),
        ("label,1x1,1x2\n0,0,5\n1,1,5\n2,2,5\n", "L.. label `label`"),
        ("1x1,1x2,1x3\n0,0,5\n1,1,5\n2,2,5\n", "... no label"),
        ("x1,x2,x3\n0,0,5\n1,1,5\n2,2,5\n", "... no label"),
        ("value\n7\n8\n", ". no label"),
        ("value\n", ". no label"),
        ("label,1x1,1x2\n", "L.. label `label`"),
        ("label\n7\n", ". no label"),
        ("label\n1 2\n?\n", ". no label"),
        ("\n", "no label; no names of columns"),
        (
            "4\n8\nall\n",
            "? column 0 has words (all in record 2), and a record has numbers; correct the cell, or remove the line |",
        ),
        (
            "2,True\n",
            "? column 1 has words (True in record 0), and a record has numbers | label_column(\"1\") labels(false) \
             skip(\"1\")",
        ),
        ("9\n2\n", ". no label; no names of columns"),
        // Headers.
        ("p1,p2,Label\n10,20,7\n30,40,3\n", "..L label `Label`"),
        ("0,1,class\n5,2,0\n1,8,1\n", "..L label `class`"),
        ("label,0,1\n5,2,0\n1,8,1\n", "L.. label `label`"),
        ("\"label\",\"a\"\n\"7\",\"1\"\n", "L. label `label`"),
        ("7,2,3\n1,2,3\n", "... no label; no names of columns"),
        (
            "0,1,2\n1,2,3\n",
            "? line 1 (0, 1, 2) has only numbers that rise, so they may name the columns | header(true) header(false)",
        ),
        (
            "5,6,7\n1,2,3\n",
            "? line 1 (5, 6, 7) has only numbers that rise, so they may name the columns | header(true) header(false)",
        ),
        ("5,6\n1,2\n", ".. no label; no names of columns"),
        (
            "1,5,5.1\n1,2,3\n0,1,2\n",
            "? line 1 (1, 5, 5.1) may be a record that pandas took for names (5 and 5.1) | ..",
        ),
        ("7,oops\n1,2\n", "? line 1 (7, oops) may name the columns or be a record | .."),
        ("cat,5\ndog,2\ncat,3\n", "L. label column 0; no names of columns"),
        (
            "400,410,420,430,440,450,460,470.5\n1,2,3,4,5,6,7,7\n3,2,1,4,5,6,7,8\n",
            "? line 1 (400, 410, 420, 430, ..) has only numbers that rise, so they may name the columns | header(true) \
             header(false)",
        ),
        (
            "400,410,420,430,440,450,460,470.5\n1,2,3,4,5,6,7,8\n3,2,1,4,5,6,7,8\n",
            "........ no label; no names of columns",
        ),
        (
            "label,400,405\ncat,1,2\ndog,3,4\ncat,5,6\n",
            "? line 1 (label, 400, 405) may name the columns or be a record | header(true) header(false)",
        ),
        (
            "0.5,0.75,Species\n1,2,cat\n3,4,dog\n5,6,cat\n",
            "? line 1 (0.5, 0.75, Species) may name the columns or be a record | header(true) header(false)",
        ),
        (
            "label,,b\ncat,1,2\ndog,3,4\ncat,5,6\n",
            "? line 1 (label, , b) has no names for some columns, so it may be a title | header(true) header(false)",
        ),
        ("label,400\ncat,1\nlabel,5\ncat,2\n", "L. label column 0; no names of columns"),
        // Quotes that are not around the whole cell.
        (
            "label\ta\n\"tall\" cat\t1\ndog\t2\n",
            "? line 2 has text after quotes; put quotes around the whole cell, and write a quote within them twice, as \
             \"\" |",
        ),
        ("label,a\n\"a\"\"b\" ,1\n \"\"\"c\"\" d\"\t,2\n", "L. label `label`"),
        ("label,a\n6\" nail,1\n8\" nail,2\n", "L. label `label`"),
        // Amounts are values.
        (
            "a,b\n\"1,5\",7\n\"2,5\",8\n\"1,5\",9\n",
            "? `a` has words (1,5 in record 0), and a record has numbers; write them with nothing but a point | \
             label_column(\"a\") skip(\"a\")",
        ),
        (
            "price,rooms\n$5,7\n$6,8\n$5,9\n",
            "? `price` has words ($5 in record 0), and a record has numbers..",
        ),
        (
            "at,rooms\n12:30,7\n12:31,8\n12:30,9\n",
            "? `at` has words (12:30 in record 0), and a record..",
        ),
        (
            "when,rooms\n5-Mar-20,7\n6-Mar-20,8\n5-Mar-20,9\n",
            "? `when` has words (5-Mar-20 in record 0), and a record has numbers | label_column(\"when\") skip(\"when\")",
        ),
        (
            "buying,doors,boot,safety,verdict,persons\nhigh,two,big,low,bad,2\nhigh,two,big,low,bad,4\nlow,three,big,high,good,2\n",
            "? `buying` has words (high in record 0), and a record has numbers | label_column(\"buying\") \
             label_column(\"doors\") label_column(\"verdict\") skip(\"buying,doors,boot,safety,verdict\")",
        ),
        ("ages,rooms\n10-20,7\n20-30,8\n10-20,9\n", "L. label `ages`"),
        ("a,b\n1,2\n", ".. no label"),
        ("a,b\n", ".. no label"),
        (
            "a,b\nc,d\n",
            "? line 1 (a, b) may name the columns or be a record | header(true) header(false)",
        ),
        (
            "1,,3\n4,5,6\n",
            "? record 0 has no value in column 1; add it, or remove the record | skip(\"1\")",
        ),
        // Comments, separators, and whatever else is around the cells.
        ("# label,a,b\n7,1,2\n3,4,5\n", "L.. line 1 (#) names the columns; label `label`"),
        (
            "# by hand\n# in May\nlabel,a,b\n7,1,2\n",
            "L.. 2 lines of comments left out; label `label`",
        ),
        (
            "\n# by hand\n\n# label,a\n7,1\n",
            "L. 1 line of comments left out; line 4 (#) names the columns; label `label`",
        ),
        (
            "# by hand\rlabel,a,b\r7,1,2\r",
            "? line 1 has 1 column, and others have 3 (between commas)..",
        ),
        ("\u{FEFF}label,a\r\n7,1\r\n\r\n", "L. label `label`"),
        ("label\ta\n7\t1\n", "L. label `label`"),
        ("label|a\n7|1\n", "L. between bars; label `label`"),
        (
            "label;a;b\ncat;1,5;2,5\ndog;3,5;4,5\n",
            "L.. between semicolons; decimal commas; label `label`",
        ),
        ("  5.00   2.00\n  1.00   8.00\n", ".. between spaces; no label; no names of columns"),
        (
            " 0.5  0.25 3 \r\n   0 1\t4\r\n",
            "? column 2 may be the label, because only it has whole numbers | ..",
        ),
        ("9,\t2\n3,\t4\n", ".. no label; no names of columns"),
        ("label,a,b,\n7,1,2,\n3,1,2,\n", "L.. label `label`"),
        ("label,a,b\n7,1,2,\n3,1,2,\n", "L.. label `label`"),
        ("Label, a\n7, 1\n", "L. label `Label`"),
        ("My table\n7,1,2\n3,4,5\n", "? line 1 has 1 column, and others have 3 (between commas).."),
        (
            "Station 5\nMay 2020\nlabel,a,b\ncat,1,2\ndog,3,4\n",
            "? line 1 has 1 column, and others have 3 (between commas)..",
        ),
        (
            "Messung\nim Mai\na;b\n1,5;2,5\n3,5;4,5\n",
            "? line 1 has 1 column, and others have 2 (between semicolons)..",
        ),
        ("7,1,2\n3,4\n8,1,2\n", "? line 2 has 2 columns, and others have 3 (between commas).."),
        (
            "# one\n7,1,2\n3,4,5\n1,2,3,4\n",
            "? line 4 has 4 columns, and others have 3 (between commas)..",
        ),
        ("9,2\n3,4,5\n", "? line 1 has 2 columns, and those below have 3; correct it.."),
        ("9,2\n3\n", "? line 2 has 1 column, and others have 2 (between commas).."),
        (
            "1 1:5 2:2\n0 1:1 2:8\n",
            "? line 1 (1, 1:5, 2:2) may name the columns or be a record | header(true) header(false)",
        ),
        // Row numbers.
        (
            ",label,a\n0,7,1\n1,3,2\n",
            "-L. column 0 has no name, left out: row numbers; label `label`",
        ),
        (
            "label,a\n1,7,1\n2,3,2\n",
            "-L. column 0 has no name, left out: row numbers; label `label`",
        ),
        // Shuffled rows, as R writes them.
        (
            "label,a\n7,1,5\n3,2,6\n",
            "? line 1 has 2 columns, and those below have 3; correct it, or remove it if it is not a record | header(true)",
        ),
        (
            "label,a\n7,1,5\n7,2,6\n",
            "? line 1 has 2 columns, and those below have 3; correct it, or remove it if it is not a record |",
        ),
        ("Number,label,a\n7,7,1\n8,3,2\n", "-L. `Number` left out: row numbers; label `label`"),
        (
            "a,b\nMazda,7,1\nDatsun,3,2\n",
            "-.. column 0 has no name, left out: names of rows; no label",
        ),
        (
            ",label,a\n7,7,1\n3,3,2\n",
            "? column 0 has no name, and may number or group the records, or be a value | ..",
        ),
        (
            "Unnamed: 0.1,label,a\n0,7,1\n1,3,2\n",
            "-L. `Unnamed: 0.1` left out: row numbers; label `label`",
        ),
        ("id,label,a\n7,7,1\n8,3,2\n", "-L. `id` left out: row numbers; label `label`"),
        (
            "No.,a,species\n1,7,cat\n2,3,dog\n3,1,cat\n",
            "-.L `No.` left out: row numbers; label `species`",
        ),
        (
            "id,label,a\n10,7,1\n17,3,2\n",
            "? `id` may number or group the records, or be a value | skip(\"id\") skip(\"none\")",
        ),
        // Columns that group the rows.
        (
            "id,label,a\n7,7,1\n7,3,2\n",
            "? `id` may number or group the records, or be a value | skip(\"id\") skip(\"none\")",
        ),
        (
            "a,activity_id\n5,1\n6,1\n",
            "? `activity_id` may number or group the records, or be a value | skip(\"activity_id\") skip(\"none\") \
             label_column(\"activity_id\")",
        ),
        (
            "subject,a,b\ns1,5,0\ns2,2,1\ns1,3,3\n",
            "? `subject` has words (s1 in record 0), and a record has numbers | label_column(\"subject\") skip(\"subject\")",
        ),
        (
            "label,a,subject\n7,5,1\n7,3,1\n",
            "? `subject` may number or group the records, or be a value | ..",
        ),
        (
            "label,a,kfold\n7,5,1\n7,3,2\n",
            "? `kfold` may number or group the records, or be a value | ..",
        ),
        ("label,a,is_train\n7,5,1\n7,3,0\n", "? `is_train` may number or group the records.."),
        ("label,a,test\n7,5,12\n7,3,10\n", "L.. label `label`"),
        ("label,heat_index\n7,5\n7,5\n", "L. label `label`"),
        (
            "label,a,index\n7,1,\n",
            "? record 0 has no value in `index`; add it, or remove the record | skip(\"index\")",
        ),
        (
            "n,label,a\n0,7,1\n1,3,2\n2,1,1\n",
            "? `n` may number or group the records, or be a value | skip(\"n\") skip(\"none\")",
        ),
        (
            "0,7,1\n1,3,2\n2,1,1\n",
            "? column 0 may number or group the records, or be a value | skip(\"0\") skip(\"none\") label_column(\"0\")",
        ),
        ("1,7\n2,7\n3,7\n", ".. no label; no names of columns"),
        (
            "n,a,b\n0,5,dog\n1,x7,cat\n2,x1,dog\n",
            "? `a` has words (x7 in record 1), and a record has numbers; correct the cell, or remove the line | ..",
        ),
        // Labels.
        ("x,y,z\n1,2,3\n4,5,6\n", "... no label"),
        ("x1,x2,y\n5,2,0\n1,8,1\n", "..L label `y`"),
        ("a,y,b,Label\n1,2,3,4\n", "...L label `Label`"),
        (
            "label,a,class\n1,5,1\n0,3,0\n",
            "L.- `class` left out: the same as `label`; label `label`",
        ),
        (
            "label,class,a\n1,dog,5\n0,cat,3\n1,dog,2\n",
            "LN. label `label`; `class` has the name of `label`",
        ),
        (
            "label,class,target,a\ncat,cat,0,5\ndog,dog,1,3\n",
            "? `target` or `class` may be the label, and they differ | label_column(\"target\") label_column(\"class\") \
             labels(false)",
        ),
        (
            "a,number\n5,3\n6,8\n7,5\n",
            "? `number` may number or group the records, or be a value | skip(\"number\") skip(\"none\") \
             label_column(\"number\")",
        ),
        (
            "label,target,a\n1,0,5\n0,5,3\n",
            "? `label` or `target` may be the label, and they differ | label_column(\"label\") label_column(\"target\") \
             labels(false)",
        ),
        ("length,width,species\n5.1,3.5,cat\n4.9,3,dog\n6,1,cat\n", "..L label `species`"),
        ("5.1,3.5,cat\n4.9,3,dog\n6,1,cat\n", "..L label column 2; no names of columns"),
        (
            "a,b\n30,1\n4e,2\n4e,3\n",
            "? `a` has words (4e in record 1), and a record has numbers; correct the cell, or remove the line | ..",
        ),
        ("label,b\n30,1\n4e,2\n", "L. label `label`"),
        (
            "n,a,class_id\n1,2,3\n2,4,5\n3,4,3\n",
            "? `class_id` may be the label | label_column(\"class_id\") labels(false)",
        ),
        ("digit,pixel0,pixel1,pixel2,pixel3\n1,0,1,2,3\n", "? `digit` may be the label | .."),
        (
            "mark,pixel0,pixel1,pixel2,pixel3\n7,0,1,2,3\n",
            "? `mark` may be the label, next to the pixels of a picture | ..",
        ),
        (
            "id,pixel0,pixel1,pixel2,pixel3\n7,0,1,2,3\n",
            "-.... `id` left out: row numbers; no label",
        ),
        (
            "mark,pixel_0,pixel_1,pixel_2,pixel_3\n7,0,1,2,3\n",
            "? `mark` may be the label, next to..",
        ),
        ("pixel0,width,height\n0,1,2\n", "... no label"),
        (
            "5.1,3.5,0\n4.9,3.5,1\n",
            "? column 2 may be the label, because only it has whole numbers | label_column(\"2\") labels(false)",
        ),
        ("5.1,3.5,0\n", "... no label; no names of columns"),
        (
            "a,b,y\n5,2,0.5\n1,8,1.25\n",
            "? `y` has decimals, and a label is a whole number or a name | labels(false)",
        ),
        (
            "label,name,a\n0,cat,5\n1,dog,2\n0,cat,1\n",
            "LN. label `label`; `name` has the name of `label`",
        ),
        (
            "label,name,a\n0,cat,5\n1,dog,2\n",
            "? `name` has words (cat in record 0), and a record has numbers | skip(\"name\")",
        ),
        (
            "date,a\n2020-01-02,5\n2020-01-02,2\n",
            "? `date` has words (2020-01-02 in record 0), and a record has numbers | label_column(\"date\") skip(\"date\")",
        ),
        (
            "unit,a,b\ncm,5,0\ncm,2,1\n",
            "? `unit` has words (cm in record 0), and a record has numbers | label_column(\"unit\") skip(\"unit\")",
        ),
        ("species,a,b\ncat,5,0\ncat,2,1\n", "L.. label `species`"),
        (
            "smoker,age,disease\nyes,30,no\nno,40,yes\nyes,50,no\n",
            "? `smoker` has words (yes in record 0), and a record has numbers | label_column(\"smoker\") label_column(\"disease\") skip(..",
        ),
        (
            "date,a,group\n2020-01-02,5,x\n2020-01-03,2,y\n2020-01-02,4,x\n",
            "? `date` has words (2020-01-02 in record 0), and a record has numbers | label_column(\"group\") skip(..",
        ),
        (
            "label,a\n0,10%\n1,20%\n0,30%\n",
            "? `a` has words (10% in record 0), and a record has numbers; write them with nothing but a point |",
        ),
        (
            "label,pixels\n0,\"[1, 2]\"\n1,\"[3, 4]\"\n",
            "? `pixels` has words ([1, 2] in record 0), and a record has numbers; write their numbers with spaces between, and no \
             brackets |",
        ),
        (
            "label,a,split\n0,5,train\n1,6,test\n0,8,train\n",
            "? `split` has words (train in record 0), and a record has numbers | skip(\"split\")",
        ),
        (
            "Klasse;a;b\n0;3;5\n1;2;7\n0;4;4\n",
            "? `Klasse` may be the label | label_column(\"Klasse\") labels(false)",
        ),
        ("cat\ndog\ncat\n", "? there are no numbers for the records.."),
        (
            "label,a\n1,5\n0,oops\n",
            "? `a` has words (oops in record 1), and a record has numbers; correct the cell, or remove the line |",
        ),
        ("label,a\n1,5\n0,?\n", "? record 1 has no value in `a`; add it, or remove the record |"),
        (
            "label,index,a\n0,,5\n",
            "? record 0 has no value in `index`; add it, or remove the record | skip(\"index\")",
        ),
        (
            "label,a\n1,5\n,2\n",
            "? record 1 has no label in `label`; add it, or remove the record |",
        ),
        ("label,a\n\u{1b}[31m,5\nb,2\n\u{1b}[31m,5\n", "L. label `label`"),
        // True and False are numbers next to a label.
        ("a,flag,label\n5,True,1\n2,False,0\n9,True,0\n", "..L label `label`; True is 1 in `flag`"),
        (
            "a,flag,label\n5,True,1\n2,,0\n9,True,0\n",
            "? record 1 has no value in `flag`; add it, or remove the record | skip(\"flag\")",
        ),
        (
            "a,flag,label\n5,True,1\n2,no,0\n9,True,0\n",
            "? `flag` has words (True in record 0), and a record has numbers | skip(\"flag\")",
        ),
        (
            "a,red,blue\n5,True,False\n2,False,True\n9,True,False\n",
            "? `red` has words (True in record 0), and a record has numbers | label_column(\"red\") label_column(\"blue\") \
             labels(false) skip(\"red,blue\")",
        ),
        // One-hot columns with names that say label.
        ("a,label_0,label_1\n5,0,1\n2,1,0\n9,1,0\n", ".LL 2 columns are one-hot labels"),
        (
            "species_cat,species_dog,a\nTrue,False,5\nFalse,True,6\n",
            "LL. 2 columns are one-hot labels",
        ),
        ("a,class_0,class_1\n5,0.0,1.0\n2,1.0,0.0\n", ".LL 2 columns are one-hot labels"),
        (
            "a,label_0,label_1\n5,1,1\n2,1,0\n",
            "? `label_0` or `label_1` may be the label | label_column(\"label_0\") label_column(\"label_1\") labels(false)",
        ),
        (
            "a,coarse_label,fine_label\n5,0,1\n2,1,0\n",
            "? `coarse_label` or `fine_label` may be the label | ..",
        ),
        (
            "n,label_0,label_1\n5,0,1\n6,1,0\n7,1,0\n",
            "? `n` may number or group the records, or be a value | skip(\"n\") skip(\"none\")",
        ),
        (
            "label,a,class_0,class_1\n0,5,1,0\n1,2,0,1\n0,9,1,0\n",
            "? `class_0`, `class_1` may be a label, as `label` is | skip(\"class_0,class_1\") skip(\"none\")",
        ),
        // Several numbers in one cell.
        (
            "emotion,note,pixels\n3,,1 2 3 4\n0,,5 6 7 8\n",
            "? `emotion` may be the label | label_column(\"emotion\") labels(false)",
        ),
        (
            "label,a\n1 2,5\n3,6\n",
            "? `label` has several labels in a cell; write one for each record | labels(false)",
        ),
        (
            "share,pixels\n0.5,1 2 3 4\n0.25,5 6 7 8\n",
            "? `pixels` has several numbers in a cell (1 2 3 4), and `share` has numbers as well; write numbers without \
             spaces | column(\"pixels\")",
        ),
        ("label,pixels,usage\n3,1 2 3 4,a\n0,5 6 7 8,b\n", "L.- label `label`; `usage` left out"),
    ];
    expect(cases.map(|(text, expected)| (text, records(text), expected)));
    // A first column that tells the rows apart.
    let rows = |count: usize, first: &dyn Fn(usize) -> String| -> String {
        let rows =
            (0..count).map(|row| format!("{},{},0.5,{}\n", first(row), row % 2, 7 * row % 3));
        rows.collect()
    };
    let asked = "? column 0 may number or group the records, or be a value | skip(\"0\") \
                 skip(\"none\") label_column(\"0\")";
    let plain = ".... no label; no names of columns";
    type Cell = fn(usize) -> String;
    let cases: [(usize, Cell, &str); 9] = [
        (10, |row| format!("{}.25", 20 * row), asked),
        (9, |row| format!("{}.25", 20 * row), plain),
        (10, |row| format!("{}.25", 20 * (row % 9)), plain),
        (100, |row| (row * 37 % 101).to_string(), asked),
        (99, |row| (row * 37 % 101).to_string(), plain),
        (100, |row| (row * 37 % 99).to_string(), plain),
        (100, |row| format!("{}.5", row * 37 % 101), plain),
        (3, |row| (84_000 - 7 * row).to_string(), asked),
        (3, |row| (999 - 7 * row).to_string(), plain),
    ];
    for (count, first, expected) in cases {
        assert_eq!(records(&rows(count, &first)), expected, "{count}: {}", first(3));
    }
    let asked = "? column 0 may number or group the records, or be a value | skip(\"0\") \
                 skip(\"none\")";
    for (text, expected) in [
        ("842302,M,17.99\n84501001,B,13.5\n8670,M,15.46\n", asked),
        ("8423,M,17.99\n8450,B,8424\n8670,M,15.46\n", ".L. label column 1; no names of columns"),
        ("price,type,area\n8423,M,17.99\n8450,B,13.5\n8670,M,15.46\n", ".L. label `type`"),
    ] {
        assert_eq!(records(text), expected, "{text}");
    }
    // Numbers that match the words, in many rows.
    let asked = "? `code` may be a label, as `kind` is | skip(\"code\") skip(\"none\") label_column(\"code\")";
    let plain = ".L. label `kind`";
    for (codes, times, expected) in
        [([0, 1, 2], 4, asked), ([0, 1, 2], 3, plain), ([4, 8, 2], 4, asked), ([0, 1, 1], 4, plain)]
    {
        let [cat, dog, eel] = codes;
        let lines = format!("5,cat,{cat}\n5,dog,{dog}\n6,eel,{eel}\n").repeat(times);
        assert_eq!(records(&format!("a,kind,code\n{lines}")), expected, "{codes:?}");
    }
    let pixels = |count: usize| vec!["7"; count].join(",") + "\n" + &vec!["8"; count].join(",");
    let pixels_of = |cell: &str| vec![cell; 64].join(",");
    let plain = format!("{} no label; no names of columns", ".".repeat(64));
    assert_eq!(records(&pixels(64)), plain);
    let asked = "? column 0 or column 64 may be the label, because there is one number more than a picture of 8 x 8 has | \
                 label_column(\"0\") label_column(\"64\") labels(false)";
    assert_eq!(records(&pixels(65)), asked);
    // Decimals are not labels.
    let asked = "? column 0 may be the label, because there is one number more than a picture of 8 x 8 has | \
                 label_column(\"0\") labels(false)";
    assert_eq!(records(&format!("7,{0}\n8,{0}", pixels_of("0.5"))), asked);
    let plain = format!("{} no label; no names of columns", ".".repeat(65));
    assert_eq!(records(&format!("0.5,{0}\n1.5,{0}", pixels_of("0.5"))), plain);
    // Numbers as names of pixels.
    let numbered = |side: usize| {
        let columns = 0..side * side;
        let names: String = columns.clone().map(|column| format!(",{column}")).collect();
        let cells: String = columns.map(|column| format!(",{}", column % 7)).collect();
        records(&format!("mark{names}\n7{cells}\n8{cells}\n"))
    };
    let asked = "? `mark` may be the label, next to the pixels of a picture | label_column(\"mark\") labels(false)";
    assert_eq!(numbered(8), asked);
    assert_eq!(numbered(7), format!("{} no label", ".".repeat(50)));
    // One-hot columns after a picture.
    let asked = "? the last 2 columns are one-hot, as labels are, next to a picture of 8 x 8 | shape(\"8x8\") \
                 labels(false)";
    assert_eq!(records(&format!("{0},1,0\n{0},0,1", pixels_of("7"))), asked);
    let plain = format!("{} no label; no names of columns", ".".repeat(66));
    assert_eq!(records(&format!("{0},1,0\n{0},1,1", pixels_of("7"))), plain);
    assert_eq!(records(&format!("{0},1,0\n", pixels_of("7"))), plain);
    let names = vec!["a"; 66].join(",");
    let plain = format!("{} no label", ".".repeat(66));
    assert_eq!(records(&format!("{names}\n{0},1,0\n{0},0,1", pixels_of("7"))), plain);
}

#[test]
fn options_state_a_reading() {
    let [twice, named] = [Column::from("a"), "label".into()];
    let [zero, two, species, id] =
        [Column::from(0), Column::from(2), "species".into(), "id".into()];
    let none = Known::default();
    let label = |column| Known { label_column: Some(column), ..none };
    let header = |header| Known { header: Some(header), ..none };
    let no_labels = Known { no_labels: true, ..none };
    let skip = Known { skip: Some(std::slice::from_ref(&id)), ..none };
    let no_skip = Known { skip: Some(&[]), ..none };
    let date = ["date".into()];
    let date = Known { skip: Some(&date), ..none };
    let only_date = ["none".into(), "date".into()];
    let only_date = Known { skip: Some(&only_date), ..none };
    let [skip_zero, skip_two] =
        [&zero, &two].map(|column| Known { skip: Some(std::slice::from_ref(column)), ..none });
    let dated = "id,date,a\n10,2020-01-01,5\n17,2020-01-02,6\n";
    let iris = "id,length,species\n1,3,cat\n2,4,dog\n3,5,cat\n";
    let gaps = "id,a,b\n10,3,1\n20,4,1\n";
    let headless = "0,7,1\n1,3,2\n2,1,1\n";
    let cases = [
        ("0,1,2\n1,2,3\n", header(true), "... no label"),
        ("0,1,2\n1,2,3\n", header(false), "... no label; no names of columns"),
        ("a,b\nc,d\n", header(false), "? there are no numbers.."),
        ("7\n8\n", header(true), "? line 1 has only numbers, as a record has; write.."),
        ("1,5,5.1\n1,2,3\n", header(true), "... no label"),
        (
            "0,1,2,3\n0.5,0.25,0.5,1\n0.5,0.75,0.25,0\n",
            header(true),
            "? `3` may be the label, because only it has whole numbers | label_column(\"3\") labels(false)",
        ),
        (
            "label,a\n7,1,5\n3,2,6\n",
            header(true),
            "? column 0 has no name, and may number or group the records, or be a value | skip(\"0\") skip(\"none\")",
        ),
        (
            "a,red,blue\n5,TRUE,FALSE\n2,FALSE,TRUE\n9,TRUE,FALSE\n",
            no_labels,
            "... True is 1 in `red`, `blue`; no label",
        ),
        (
            "a,label_0,label_1\n5,0,1\n2,1,0\n",
            no_labels,
            ".-- `label_0`, `label_1` left out: a label; no label",
        ),
        (iris, none, "-.L `id` left out: row numbers; label `species`"),
        (iris, label(&species), "-.L `id` left out: row numbers; label `species`"),
        (iris, label(&two), "-.L `id` left out: row numbers; label `species`"),
        (iris, no_labels, "-.- `id` left out: row numbers; `species` left out: a label; no label"),
        (iris, no_skip, "..L label `species`"),
        (iris, skip, "-.L `id` left out; label `species`"),
        (gaps, skip, "-.. `id` left out; no label"),
        ("id,a,fold\n10,3,1\n20,4,1\n", skip, "-.. `id` left out; no label"),
        ("a,b\n7,1\n", Known { may_lack: true, ..skip }, ".. no label"),
        ("a,b\n7,1\n", Known { may_lack: true, ..label(&species) }, ".. no label"),
        (gaps, no_skip, "... no label"),
        ("5,7\n6,7\n", skip_zero, "-. column 0 left out; no label; no names of columns"),
        ("5,7\n6,7\n", skip_two, "? there is no column 2; the table has 2, counted from 0 |"),
        (
            "5,7\n6,7\n",
            Known { label_column: Some(&zero), ..skip_zero },
            "? column 0 cannot be both read and left out; choose another |",
        ),
        (
            "a,flag\n5,True\n2,False\n9,True\n",
            Known { no_labels: true, ..skip_zero },
            "-. `a` left out; True is 1 in `flag`; no label",
        ),
        (
            "class,class_id,a\ncat,0,5\ndog,1,1\ncat,0,9\n",
            no_labels,
            "-.. `class` left out: a label; no label",
        ),
        ("label,a\n7,5\n,2\n", no_labels, "-. `label` left out: a label; no label"),
        ("id,a\n10,3\n20,4\n", Known { column: Some(&id), ..none }, ".- no label; `a` left out"),
        (
            dated,
            date,
            "? `id` may number or group the records, or be a value | skip(\"date,id\") skip(\"none,date\") \
             label_column(\"id\")",
        ),
        (
            dated,
            no_skip,
            "? `date` has words (2020-01-01 in record 0), and a record has numbers | label_column(\"date\") skip(\"none,date\")",
        ),
        (dated, only_date, ".-. `date` left out; no label"),
        (
            "label,target,a\n1,0,5\n0,5,3\n",
            no_labels,
            "--. `target` left out: a label; `label` left out: a label; no label",
        ),
        ("a,b\n7,1\n", Known { no_labels: true, ..skip }, ".. no label"),
        (
            "label,target,a\n1,0,5\n0,5,3\n1,2,8\n",
            label(&named),
            "? `target` may be a label, as `label` is | skip(\"target\") skip(\"none\")",
        ),
        (headless, label(&zero), "L.. label column 0; no names of columns"),
        (headless, no_labels, "... no label; no names of columns"),
        (headless, no_skip, "... no label; no names of columns"),
        ("label,a\n7,1\n", no_labels, "-. `label` left out: a label; no label"),
        ("a,y\n5,0.5\n1,1.5\n", no_labels, ".. no label"),
        ("lat,class_id\n1,3\n3,5\n", no_labels, ".. no label"),
        (
            "label,a\n7,1\n",
            label(&two),
            "? there is no column 2; the table has 2, counted from 0 |",
        ),
        (
            "label,a\n7,1\n",
            label(&species),
            "? there is no column `species`; choose another: label, a |",
        ),
        (
            "a,a\n7,1\n",
            label(&twice),
            "? 2 columns are called `a`; count them from 0 | label_column(\"0\") label_column(\"1\")",
        ),
        (
            "7,1\n3,2\n",
            label(&species),
            "? there is no column `species`, because the columns have no names..",
        ),
        (
            "label,pixels,usage\n3,1 2,a\n",
            Known { column: Some(&zero), ..none },
            ".-- no label; `pixels`, `usage` left out",
        ),
        (
            "9,1,2,3,4\n",
            Known { shape: Some(&[2, 2]), ..none },
            "? column 0 or column 4 may be the label, because there is one number more..",
        ),
        (
            "9,2,3,4,1\n8,2,3,4,1\n",
            Known { shape: Some(&[2, 2]), ..none },
            "? column 0 or column 4 may be the label, because there is one number more..",
        ),
        (
            "0.5,1,2,3,4\n",
            Known { shape: Some(&[2, 2]), ..none },
            "? column 4 may be the label, because there is one number more..",
        ),
        (
            "9,8,1,2,3,4\n",
            Known { shape: Some(&[2, 2]), ..none },
            "...... no label; no names of columns",
        ),
        (
            "5,1,2,0,1,0\n7,3,4,1,0,0\n",
            Known { shape: Some(&[3]), ..none },
            "...LLL 3 columns are one-hot labels; no names of columns",
        ),
        (
            "5.1,3.5,0\n4.9,3.5,1\n",
            Known { shape: Some(&[3]), ..none },
            "... no label; no names of columns",
        ),
    ];
    expect(
        cases.map(|(text, known, expected)| (text, read(text, Purpose::Records, &known), expected)),
    );
    // A test part may have an empty column of labels.
    let later = Known { may_lack: true, ..label(&species) };
    let found = understand("a,b,species\n7,1,\n3,2,\n", Purpose::Records, &later).unwrap();
    assert_eq!(found.columns, [Role::Element, Role::Element, Role::LeftOut]);
    assert_eq!(found.label, None);
}

#[test]
fn lists_of_labels() {
    let find = |cell: &str| {
        let name = cell.rsplit(['/', '\\']).next().unwrap_or_default();
        match name.strip_suffix(".png").unwrap_or(name).parse() {
            Ok(number @ 1..=3) => Ok(number),
            // Two folders have it.
            Ok(4) => Err(2),
            _ => Err(0),
        }
    };
    let paths = ["1.png", "2.png", "3.png"].map(Path::new);
    let pictures =
        Known { find: Some(&find), pictures: &paths, count: Some(3), ..Known::default() };
    let cases = [
        (
            "a2,7\n1,0\n3,0\n2,0\n",
            "? line 1 (a2, 7) may name the columns or be a record | header(true) header(false)",
        ),
        (
            "nobody,1\n1,0\n3x,0\n2,0\n",
            "? column 0 does not name the pictures (nobody); write their names, such as 1.png |",
        ),
        (
            "file,label\n1.png,1\n4.png,1\n",
            "? several pictures are called 4.png; write their paths with the extensions, such as \
             train/1.png |",
        ),
        ("1,1\n2,3\n3,3\n", "KL column 0 names the pictures; label column 1"),
        (
            "image,label\n007,cat\n008,dog\n009,cat\n",
            "? `image` does not name the pictures (007); write their names, such as 1.png | skip(\"image\")",
        ),
        (
            "image,label\n009,cat\n007,dog\n008,cat\n",
            "? `image` does not name the pictures (009); write their names, such as 1.png | skip(\"image\")",
        ),
        (
            "009,cat\n007,dog\n008,cat\n",
            "? column 0 does not name the pictures (009); write their names, such as 1.png | skip(\"0\")",
        ),
        // A list of classes.
        (
            "ClassId,Name\n10,cat\n11,dog\n",
            "? `Name` does not name the pictures (cat); write their names, such as 1.png |",
        ),
        (
            "Unnamed: 0,label\n7,2\n9,3\n5,3\n",
            "? `Unnamed: 0` does not name the pictures (7); write their names, such as 1.png | skip(\"Unnamed: 0\")",
        ),
        (
            ",b\ncat,1\ndog,2\ncat,1\n",
            "? column 0 does not name the pictures (cat); write their names, such as 1.png | skip(\"0\") \
             label_column(\"0\")",
        ),
        (
            "Id,Target\n1,16 0\n2,5\n3,0 2\n",
            "? `Target` has several labels in a cell; write one for each record |",
        ),
        (
            "file_name,text\n1.png,a cat on grass\n3.png,a dog on sand\n2.png,a red barn\n",
            "? `text` may be the label, but it has another text for each picture, as captions and ids have | label_column(\"text\")",
        ),
        (
            "file_name,split\n1.png,train\n3.png,test\n2.png,train\n",
            "? `split` may be the label, but it names parts of a data set | label_column(\"split\")",
        ),
        // Captions, one of them short.
        (
            "file_name,text\n1.png,a cat\n3.png,a dog on sand\n2.png,a red barn\n",
            "? `text` may be the label, but it has another text for each picture, as captions and ids have | label_column(\"text\")",
        ),
        ("1.png,7\n3.png,5\n2.png,7\n", "KL column 0 names the pictures; label column 1"),
        // Labels that are names of pictures, too.
        ("1.png,3\n3.png,1\n2.png,2\n", "KL column 0 names the pictures; label column 1"),
        (
            "3,1\n1,3\n2,2\n",
            "? column 0 and column 1 both name the pictures, and differ | label_column(\"1\") label_column(\"0\")",
        ),
        (
            "1.png,1\n3.png,3\n2.png,2\n",
            "? column 1 may be the label, because there is no other besides the names | label_column(\"1\")",
        ),
        (
            "image,number\n1.png,7\n3.png,5\n2.png,7\n",
            "? `number` may be the label, because there is no other besides the names | label_column(\"number\")",
        ),
        ("3,1,1.png\n1,3,3.png\n2,2,2.png\n", "LK- column 1 names the pictures; label column 0"),
        (
            "1.png 7\n3.png 5\n2.png 7\n",
            "KL between spaces; column 0 names the pictures; label column 1",
        ),
        (
            "1.png: cat\n3.png: dog\n2.png: cat\n",
            "? a line (1.png: cat) begins with the name of a picture or with its number; put a comma after it |",
        ),
        (
            "1.png=cat\n3.png=dog\n2.png=cat\n",
            "? a line (1.png=cat) begins with the name of a picture or with its number; put a comma after it |",
        ),
        (
            "file,mask,label\n1.png,1_m.png,cat\n3.png,3_m.png,dog\n2.png,2_m.png,cat\n",
            "? there is no 1_m.png among the pictures; remove the line, or add the picture | skip(\"mask\")",
        ),
        (
            "p/1.png cat\np/3.png dog\np/2.png cat\n",
            "KL between spaces; column 0 names the pictures; label column 1",
        ),
        (
            "file,label\nC:\\p\\1.png,7\nC:\\p\\3.png,5\nC:\\p\\2.png,7\n",
            "KL `file` names the pictures; label `label`",
        ),
        ("label,id\ncat,1\ndog,3\ncat,2\n", "LK `id` names the pictures; label `label`"),
        ("1,cat\n3,dog\n2,cat\n", "KL column 0 names the pictures; label column 1"),
        ("a,b\n1.png,11\n3.png,13\n2.png,12\n", "KL `a` names the pictures; label `b`"),
        (",id,label\n1,1,7\n2,2,7\n3,3,5\n", "K-L column 0 names the pictures; label `label`"),
        (",id,label\n2,1,7\n1,2,7\n0,3,5\n", "-KL `id` names the pictures; label `label`"),
        (
            ",id,label\n2,1,7\n3,2,7\n1,3,5\n",
            "? column 0 and `id` both name the pictures, and differ | skip(\"id\") skip(\"0\")",
        ),
        (
            "id,width,class\n1,5,cat\n2,5,dog\n3,5,cat\n",
            "K-L `id` names the pictures; label `class`; `width` left out",
        ),
        (
            "id,width,height\n1,5,6\n2,5,3\n3,5,6\n",
            "? `width` or `height` may be the label | label_column(\"width\") label_column(\"height\")",
        ),
        (
            "id,width,size,kind\n1,5.5,6 6,cat\n2,5.5,7 7,dog\n3,0.5,6 6,cow\n",
            "? `kind` may be the label | label_column(\"kind\")",
        ),
        (
            "image,cat,dog\n1,1,0\n2,0,1\n3,1,1\n",
            "? `cat` or `dog` may be the label, because record 2 is not one-hot, a single 1 and zeros | \
             label_column(\"cat\") label_column(\"dog\")",
        ),
        (
            "f,label\n1.png,cat\n2.png,nan\n3.png,cat\n",
            "? record 1 has no label in `label`; add it, or remove the record | label_column(\"label\")",
        ),
        (
            "image,cat,dog\n1,1.0,0.0\n2,0.0,1.0\n3,1.0,0.0\n",
            "KLL `image` names the pictures; 2 columns are one-hot labels",
        ),
        (
            "image,age,label_cat,label_dog\n1,30,1,0\n2,40,0,1\n3,30,1,0\n",
            "K-LL `image` names the pictures; 2 columns are one-hot labels; `age` left out",
        ),
        (
            "image,cat,dog\n1,True,False\n2,False,True\n3,TRUE,FALSE\n",
            "KLL `image` names the pictures; 2 columns are one-hot labels",
        ),
        (
            "f,label,name\n1.png,0,cat\n2.png,1,dog\n3.png,0,cat\n",
            "KLN `f` names the pictures; label `label`; `name` has the name of `label`",
        ),
        (
            "1.png,7,train\n2.png,5,train\n3.png,7,test\n",
            "? column 1 or column 2 may be the label | label_column(\"1\") label_column(\"2\")",
        ),
        (
            "1.png,7,a\n2.png,5,a\n3.png,7,a\n",
            "? column 1 or column 2 may be the label | label_column(\"1\") label_column(\"2\")",
        ),
        ("cat\ndog\ncat\n", "L"),
        ("label\ncat\ndog\ncat\n", "L label `label`"),
        ("cat\ndog\neel\n", "L"),
        ("name\ncat\ndog\neel\n", "L label `name`"),
        ("3\n2\n1\n", "L"),
        ("0\n1\n2\n3\n", "L label `0`"),
        ("0\n1\n2\n", "L"),
        (
            "1.png,7\n3.png,5\n7.png,7\n",
            "? there is no 7.png among the pictures; remove the line, or add the picture |",
        ),
        (
            "file,label\n1,7\n3,5\n1,7\n",
            "? two lines have a label for 1; remove one of them | skip(\"file\")",
        ),
        ("2,7\n3,7\n2,5\n", "? two lines have a label for 2; remove one of them | skip(\"0\")"),
        (
            "2,cat\n2,dog\n3,cat\n",
            "? two lines have a label for 2; remove one of them | skip(\"0\")",
        ),
        ("1,7\n1.png,5\n3,7\n", "? two lines have a label for 1.png; remove one of them |"),
        ("1.jpg,7\n3.jpg,5\n2.jpg,7\n", "? there is no 1.jpg among the pictures.."),
        ("1.png,7\n3.png,5\n1.png,7\n", "? two lines have a label for 1.png; remove one of them |"),
        (
            "id,label\n001x,7\n002x,5\n003x,7\n",
            "? `id` does not name the pictures (001x); write their names, such as 1.png | skip(\"id\")",
        ),
        ("name,label\nant,7\nbee,5\ncow,7\n", "? `name` does not name the pictures (ant).."),
        (
            "id,label\n11,7\n13,5\n12,7\n",
            "? `id` does not name the pictures (11); write their names, such as 1.png | skip(\"id\")",
        ),
        (
            "id,label\n0,7\n1,5\n2,7\n",
            "? `id` does not name the pictures (0); write their names, such as 1.png | skip(\"id\")",
        ),
        (
            "id,label\n11,7\n12,5\n13,7\n",
            "? `id` does not name the pictures (11); write their names, such as 1.png | skip(\"id\")",
        ),
        (
            "11,7\n12,5\n13,7\n",
            "? column 0 does not name the pictures (11); write their names, such as 1.png | skip(\"0\")",
        ),
        (
            "img,label\n11,7\n12,5\n13,7\n",
            "? `img` does not name the pictures (11); write their names, such as 1.png | skip(\"img\")",
        ),
        (
            ",label\n11,7\n12,5\n13,7\n",
            "-L column 0 has no name, left out: row numbers; label `label`",
        ),
        ("size,label\n5,7\n5,5\n5,7\n", "-L label `label`; `size` left out"),
        (
            "index,b\n0,0\n1,2\n1,0\n",
            "? `index` does not name the pictures (0); write their names, such as 1.png | skip(\"index\")",
        ),
        ("7,1\n7,1\n7,1\n", "? column 0 or column 1 may be the label | .."),
        ("1.png\n2.png\n3.png\n", "? there is no column of labels next to the names.."),
        ("1.png,7,5,6\n", "? column 1 or column 2 or column 3 may be the label.."),
        (
            "5,7\n5,5\n5,7\n",
            "? column 0 or column 1 may be the label | label_column(\"0\") label_column(\"1\")",
        ),
        (
            "1.png,7\n3.png,5\n2.png,\n",
            "? record 2 has no label in column 1; add it, or remove the record |",
        ),
    ];
    expect(cases.map(|(text, expected)| (text, read(text, Purpose::Labels, &pictures), expected)));
    // No column would be left.
    let skipped = ["b".into()];
    let one = Known { skip: Some(&skipped), ..pictures };
    let asked = "? `Name` does not name the pictures (Anna); write their names, such as 1.png |";
    assert_eq!(read("Name,b\nAnna,7\nBob,8\nCleo,9\n", Purpose::Labels, &one), asked);
    // Another table has a column of this name.
    let labels = "KL column 0 names the pictures; label column 1";
    assert_eq!(read("1.png,7\n3.png,5\n2.png,7\n", Purpose::Labels, &one), labels);
    let skipped = [Column::from(0)];
    let one = Known { skip: Some(&skipped), ..pictures };
    let labels = "-L column 0 left out; label column 1";
    assert_eq!(read("5,1\n6,2\n7,1\n", Purpose::Labels, &one), labels);
    // Leading zeros and words do not make the names of pictures other numbers.
    for (paths, expected) in [
        (["0011.png", "0012.png", "0013.png"], "-L `id` left out: row numbers; label `label`"),
        (["a11.png", "a12.png", "a14.png"], "-L `id` left out: row numbers; label `label`"),
        (
            ["0010.png", "0011.png", "0012.png"],
            "? `id` does not name the pictures (11); write their names, such as 0010.png | skip(\"id\")",
        ),
    ] {
        let paths = paths.map(Path::new);
        let others = Known { pictures: &paths, ..pictures };
        assert_eq!(read("id,label\n11,7\n12,5\n13,7\n", Purpose::Labels, &others), expected);
    }
    let list = Known { list: Some("labels.csv"), ..pictures };
    for (text, answers) in [("id,Name\n0,cat\n1,dog\n", 1), ("id,Name\n0.png,cat\n1.png,dog\n", 0)]
    {
        let question = understand(text, Purpose::Labels, &list).unwrap_err();
        let is_lost = question.sentence.starts_with("there is no 0.png")
            || question.sentence.starts_with("`id` does not name the pictures (0)");
        assert!(is_lost, "{question:?}");
        assert_eq!(question.answers.len(), answers, "{question:?}");
    }
    // Each of many pictures has a different label.
    let find_any =
        |cell: &str| cell.strip_suffix(".png").and_then(|name| name.parse().ok()).ok_or(0);
    let many = Known { find: Some(&find_any), ..Known::default() };
    let asked = "? column 1 may be the label, but it has another text for each picture, as captions and ids have | label_column(\"1\")";
    for (count, expected) in [(20, asked), (19, "KL column 0 names the pictures; label column 1")] {
        let list: String = (0..count).map(|row| format!("{row}.png,{}\n", 7 * row)).collect();
        assert_eq!(read(&list, Purpose::Labels, &many), expected);
    }
    // Texts of several words, some of which occur again.
    let asked = asked.to_string();
    let plain = "KL column 0 names the pictures; label column 1".to_string();
    for (texts, expected) in [
        (&["a b c", "d e f", "g h i", "j", "k"][..], &asked),
        (&["a b c", "d e f", "g", "h"], &plain),
        (&["a b c", "d e f", "g h i", "a b c", "d e f"], &asked),
        (&["a b c", "d e f", "g h i", "a b c", "d e f", "g h i"], &plain),
        (&["a b c", "d e f", "a b c"], &plain),
    ] {
        let lines = texts.iter().enumerate().map(|(row, text)| format!("{row}.png,{text}\n"));
        let list: String = lines.collect();
        assert_eq!(read(&list, Purpose::Labels, &many), *expected, "{list}");
    }
    // Labels of records that have no names.
    let cases = [
        ("ImageId,Label\n0,7\n1,8\n", "KL label `Label`"),
        ("id,label\n3,7\n10,8\n", "KL label `label`"),
        (
            "n,label\n2,7\n0,8\n1,9\n",
            "? in `n`, 0 follows 2, so the lines may be in another order than the records; sort them by it | \
             skip(\"n\")",
        ),
        (
            ",label\n2,7\n3,8\n1,9\n",
            "? in column 0, 1 follows 3, so the lines may be in another order than the records; sort them by \
             it, or remove the column if they are in the same order |",
        ),
        ("label,n\n7,2\n8,0\n9,4\n", "L- label `label`; `n` left out"),
        (
            "file,label\n3.png,7\n10.png,8\n2.png,9\n",
            "? in `file`, 2.png follows 10.png, so the lines may be in another order than the records; sort them by \
             it | skip(\"file\")",
        ),
        ("file,label\n3.png,7\n10.png,8\n10.png,9\n", "-L label `label`; `file` left out"),
        // A row of labels.
        ("2,0,1,0\n", "? there is one line, of 4 cells; write one label in each line |"),
        ("cat,dog,eel,cat\n", "? there is one line, of 4 cells; write one label in each line |"),
        ("0,0,1,0\n", "LLLL 4 columns are one-hot labels"),
        ("2,0,1\n", "? column 0 or column 1 or column 2 may be the label.."),
        ("file,label,a,b\n", "-L-- label `label`; `file`, `a`, `b` left out"),
        ("label,n\n7,2\n8,0\n9,2\n", "L- label `label`; `n` left out"),
        ("label,n\n7,1\n8,0\n", "L- label `label`; `n` left out"),
        ("label,class_id\n2,5\n7,3\n2,5\n", "L- label `label`; `class_id` left out"),
        ("code,n\n30,0\n4e,1\n30,0\n", "L- label `code`; `n` left out"),
        ("b,label\n7,\n8,\n", "? record 0 has no label in `label`; add it, or remove the record |"),
        (
            "a,class_id\n1,0\n0,1\n7,5\n",
            "? `class_id` may be the label | label_column(\"class_id\")",
        ),
        ("1,5\n1,6\n", "? column 0 or column 1 may be the label.."),
        ("label,n\n7,1\n8,2\n9,3\n", "L- label `label`; `n` left out"),
        ("label,k,n\n2,0,c\n0,1,a\n1,2,b\n", "L-- label `label`; `k`, `n` left out"),
        ("cat,7\ndog,3\n", "? column 0 or column 1 may be the label.."),
        ("cat,7\ndog,3\ncat,7\n", "NL label column 1; column 0 has the name of column 1"),
        ("name,digit\na,7\nb,1\nc,2\n", "? `digit` may be the label | label_column(\"digit\")"),
        ("1,0,0\n0,1,0\n", "LLL 3 columns are one-hot labels"),
        ("7\n3.5\n", "? column 0 has decimals, and a label is a whole number or a name |"),
        (
            "0.5,0.5\n0.25,0.75\n",
            "? column 0 has decimals, and a label is a whole number or a name |",
        ),
        (
            "0: cat\n1: dog\n2: cat\n",
            "? a line (0: cat) begins with the name of a picture or with its number; put a comma after it |",
        ),
        ("4: cat\n1: dog\n2: cat\n", "? line 1 (4: cat) may name the columns or be a record | .."),
        (
            "xerus\nant\n",
            "? line 1 (xerus) may name the columns or be a record | header(true) header(false)",
        ),
    ];
    let none = Known::default();
    expect(cases.map(|(text, expected)| (text, read(text, Purpose::Labels, &none), expected)));
    // Positions are those of columns of the records.
    let of_records = Known { skip: Some(&skipped), ..none };
    let labels = "L- label `label`; `n` left out";
    assert_eq!(read("label,n\n7,2\n8,0\n9,2\n", Purpose::Labels, &of_records), labels);
    // Labels of records with the same numbers.
    let keys = [("id", ["5", "3", "9"]), ("n", ["1", "2", "3"])]
        .map(|(name, cells)| (name.to_string(), cells.map(str::to_string).to_vec()));
    let numbered = Known { keys: &keys, ..none };
    let cases = [
        ("id,label\n5,7\n3,8\n9,7\n", "-L label `label`"),
        (
            "nr,label\n5,7\n3,8\n9,7\n",
            "? in `nr`, 3 follows 5, so the lines may be in another order..",
        ),
        (
            "n,label\n2,8\n1,7\n3,7\n",
            "? the labels are in another order than the records: in `n`, line 0 is 2, and record 0 is 1; sort both tables by \
             it |",
        ),
        (
            "id,label\n3,8\n5,7\n9,7\n",
            "? the labels are in another order than the records: in `id`, line 0 is 3, and record 0 is 5; sort both tables by \
             it |",
        ),
    ];
    expect(cases.map(|(text, expected)| (text, read(text, Purpose::Labels, &numbered), expected)));
}

#[test]
fn what_programs_write_around_a_table() {
    let cases = [
        (
            "sep=;\nlabel;a\n0;5\n1;2\n",
            "L. between semicolons; 1 line of comments left out; label `label`",
        ),
        ("label,a,b,\n0,5,2\n1,1,8\n", "L.. label `label`"),
        ("label,,a\n0,,5\n1,,2\n", "L-. column 1 has no name, left out: no values; label `label`"),
        (
            "label,a,,\n0,5,,\n1,2,,\n",
            "L.- column 2 has no name, left out: no values; label `label`",
        ),
        (",label,a\n,0,5\n,1,2\n", "-L. column 0 has no name, left out: no values; label `label`"),
        (
            "label,a\ncat,5\nlabel,a\ndog,1\n",
            "? column 1 has words (a in record 0), and a record has numbers; correct the cell, or remove the line | ..",
        ),
        ("label,a\n0,5\n,\n", "? record 1 has no value in `a`; add it, or remove the record |"),
        (
            "label,a\n,cm\n0,5\n1,2\n",
            "? `a` has words (cm in record 0), and a record has numbers; correct the cell, or remove the line |",
        ),
        (
            "label;a;b\n0;1.234;2,5\n1;5.678;8,5\n",
            "? commas or points in numbers may be before decimals or between thousands; write a point before the \
             decimals of all numbers in a column, as in 7.000, and nothing between thousands |",
        ),
        (
            "label\ta\n0\t950\n1\t2,345\n",
            "? commas or points in numbers may be before decimals or between thousands..",
        ),
        ("label\ta\n0\t950\n1\t0,345\n", "L. decimal commas; label `label`"),
        ("label\ta\n0\t9,5\n1\t2,345\n", "L. decimal commas; label `label`"),
        (
            "label;a\n0;950\n1;1.234\n",
            "? commas or points in numbers may be before decimals or between thousands..",
        ),
        ("label;a\n0;950.0\n1;1.234\n", "L. between semicolons; label `label`"),
        ("label;a\n0;1950\n1;1.234\n", "L. between semicolons; label `label`"),
        ("label,a\n0,950\n1,1.234\n", "L. label `label`"),
        ("label;a\n0;950\n1;2,345\n", "L. between semicolons; decimal commas; label `label`"),
        (
            "#by me\n0,5\n1,6\n",
            "? line 1 has 1 column, and those below have 2; correct it, or remove it if it is not a record |",
        ),
        (
            "label;a;b\n0;1 234;2\n1;5 678;8\n",
            "? `a` has several numbers in a cell (1 234), and `b` has numbers as well; write numbers without spaces | \
             column(\"a\")",
        ),
    ];
    expect(cases.map(|(text, expected)| (text, records(text), expected)));
}

#[test]
fn labels_that_may_be_none() {
    let cases = [
        // A number of each class is not a value.
        (
            "class,class_id,a\ncat,0,5\ndog,1,1\ncat,0,9\n",
            "? `class_id` may be a label, as `class` is | skip(\"class_id\") skip(\"none\") label_column(\"class_id\")",
        ),
        ("class,class_size,a\ncat,3,5\ndog,4,1\ncat,5,9\n", "L.. label `class`"),
        // The part of each record is not a label.
        (
            "a,b,split\n5,2,train\n1,8,train\n9,4,test\n",
            "? `split` has words (train in record 0), and a record has numbers | label_column(\"split\") skip(\"split\")",
        ),
        (
            "label,a\nnone,5\nfist,1\n",
            "? record 0 has no label in `label`; add it, or remove the record | label_column(\"label\")",
        ),
        (
            "a,b,note\n5,2,\n1,8,late\n9,4,late\n",
            "? record 0 has no label in `note`; add it, or remove the record | skip(\"note\")",
        ),
        (
            "label,a\n0,5\nNA,1\n",
            "? record 1 has no label in `label`; add it, or remove the record |",
        ),
    ];
    expect(cases.map(|(text, expected)| (text, records(text), expected)));
    let label = Column::Name("label".to_string());
    let known = Known { label_column: Some(&label), ..Known::default() };
    let text = "label,a\nnone,5\nfist,1\n";
    expect([(text, read(text, Purpose::Records, &known), "L. label `label`")]);
    let (split, rows) = split(text, true, &Known::default()).unwrap();
    let table = names(&split, rows, &Known::default()).unwrap();
    let typed = Table { is_typed: true, ..table };
    assert!(roles(&typed, Purpose::Records, &Known::default()).is_ok());
}

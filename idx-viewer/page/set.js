// Pairs images with labels and class names, by the naming rules of the crate idx-data. tests/viewer/pairs.py compares
// both.

const PARTS = ["train", "training", "t10k", "test", "testing", "val", "valid", "validation"];
const INTEGERS = ["ubyte", "byte", "short", "int"];

// The parts of a file name; nothing if it is not of IDX.
function parse(name) {
  const [, plain, gzip] = /^(.*?)(\.gz)?$/is.exec(name);
  const found = /^(.*)([-.])idx(\d+)-([a-z\d]+)$/is.exec(plain) ?? /^(.*)(\.idx)$/is.exec(plain);
  if (!found) return;
  const [, front, dot, rank, type] = found, [, stem, separator, word] = /^(?:(.+)([-_.]))?(images|labels)$/is.exec(front) ?? [, front, "-"];
  if (!word && !front) return;
  return { stem: stem ?? "", separator: separator ?? "", kind: word?.toLowerCase(), dot, rank, type, gzip, isUpper: type && type == type.toUpperCase() };
}

// The names of the same array, or of the labels of these records, the most likely one first.
function spelled({ stem, separator, dot, rank, type, gzip, isUpper }, kind, ofLabels) {
  const other = dot == "-" ? "." : "-";
  const ends = !type ? [dot] : !ofLabels ? [dot, other].map((dot) => `${dot}idx${rank}-${type}`)
    : [...[type, ...INTEGERS].map((type) => `${dot}idx1-${type}`), `${other}idx1-ubyte`, `${dot}idx2-int`, `${other}idx2-int`];
  const names = ends.map((end) => (kind ? separator + kind : "") + end).flatMap((name) => gzip ? [name + ".gz", name] : [name, name + ".gz"]);
  return [...new Set(names)].map((name) => stem + (isUpper ? name.toUpperCase() : name));
}

// The text before the part of a set at the end of a stem.
function partOf(stem) {
  const part = PARTS.find((part) => new RegExp(`(^|[-_.])${part}$`, "i").test(stem));
  return part && stem.slice(0, -part.length);
}

// The names that a class list for these records may have.
function lists({ stem }) {
  const prefix = partOf(stem);
  return [stem ? `${stem}-classes.txt` : "classes.txt", ...prefix === undefined ? [] : [`${prefix}classes.txt`]];
}

// Words above class names, not names themselves.
const TITLES = /^[# ]*(labels?|class(es)?|targets?|category|species|digit|names?|class[ _]names?):*$/i;
const LABEL = /^\d+(\.0)?$/;
const isLabel = (text) => LABEL.test(text) && +text < 2 ** 32;
const areDistinct = (items) => new Set(items).size == items.length;
const unquoted = (text) => /^(["'])([^"']*)\1$/.exec(text)?.[2] ?? text;

const NO_LIST = { words: "this is not a list of class names; write a line `0 name` for each class" };

// The class names in a list of this name. After `ls > classes.txt`, its own name is in it, which is an error.
function classNames(text, list) {
  const found = namesIn(text), own = [...found.names ?? []].find(([, name]) => name == list);
  return own ? { words: `the name of class ${own[0]} is that of this file; remove the line` } : found;
}

// These names, as the crate idx-data reads them: a line for each, or a table of numbers and names.
function namesIn(text) {
  const all = text.replace(/^\uFEFF/, "").split("\n").map((line) => line.trim()).filter((line) => !/^#( |$)/.test(line)), given = all.filter((line) => line);
  const rows = /^[[{]/.test(given[0]) && literal(text);
  if (rows) return rows[0].length > 1 ? listed(rows) ?? NO_LIST : named(rows.map(([name], label) => [label, name]));
  if (/[\0\uFFFD]/.test(text) || /^[[{]/.test(given[0]) || given.some((line, i) => line.startsWith("names: ") || i && line == "names:")) return NO_LIST;
  const items = all.filter((line) => line != "names:" && !/^(?=.*\|)(?=.*--)[|: -]+$/.test(line)), haveCommas = given.length > 1 && given.slice(0, -1).every((line) => line.endsWith(","));
  const bare = items.map((line) => line.replace(/^\|(.*)\|$/, "$1").trim().replace(/^[-*\u2022] /, ""));
  const lines = bare.map((line) => unquoted((haveCommas ? line.replace(/,$/, "") : line).trim())), full = lines.filter((line) => line);
  for (const separator of [",", ";", "\t", "\\|"]) {
    const cell = new RegExp(`(?:^|${separator})\\s*(?:"((?:[^"]|"")*)"|([^${separator}]*))`, "g");
    const rows = full.map((line) => [...line.matchAll(cell)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain.trim()));
    const found = listed(rows) ?? (rows[0]?.length == rows[1]?.length ? listed(rows.slice(1)) : undefined);
    if (found) return found;
  }
  // Boeing 737 is a name, unless 737 may be a label; so are group 0 and group 1, whose words are the same.
  const last = full.map(numberLast), arePairs = last.every((row) => row) && areDistinct(last.map(([name]) => name)) && last.some(([, label]) => label <= last.length);
  const first = full.map(numberFirst), pairs = first.every((row) => row) ? first : arePairs && last;
  if (pairs && pairs.length) return listed(pairs, true);
  const [one, other] = [true, false].map((is) => lines.findIndex((line) => line && !!numberFirst(line) == is) + 1);
  if (one && other) return { words: `line ${one} begins with the number of a class and line ${other} does not; number all lines, or none` };
  const isTitled = full.length > 1 && TITLES.test(full[0]), words = (!isTitled && noNames(full)) || noLines(isTitled ? full.slice(1) : full);
  return words ? { words } : named((isTitled ? full.slice(1) : lines).map((name, label) => [label, name]));
}

// The sentence about lines that are not only names: source code, or a first line that is not a name.
function noNames([first = "", ...others]) {
  const last = others.at(-1) ?? first;
  const isCode = /.[{[(]$/.test(first) && /^[}\])]/.test(last) || /^</.test(first) && /^<\//.test(last);
  if (isCode || others.length && [/^(#|\/\/)/, /.:$/].some((is) => is.test(first) && !others.some((line) => is.test(line)))) {
    return `the first line (${shortened(first)}) may not be the name of a class; write names alone, without brackets and quotes, or a line \`0 name\` for each class`;
  }
}

// The sentence about names in one line, or with numbers in another order than the lines, unless these are sorted.
function noLines(lines) {
  const numbers = lines.map((line) => line.match(/\d+/g)).map((found, i) => found?.length == 1 && found[0] != lines[i] && /^(0|[1-9]\d*)$/.test(found[0]) ? +found[0] : NaN);
  const areCounted = numbers.every((number) => number <= lines.length) && areDistinct(numbers);
  const advice = "write a line `0 name` for each class", isSorted = (items) => items.every((item, i) => !i || items[i - 1] <= item);
  if (lines.length == 1 && /[,;\t|]/.test(lines[0])) return `the list has one line, ${shortened(lines[0])}; ${advice}`;
  if (areCounted && !isSorted(numbers) && !isSorted(lines)) return `the lines, such as ${shortened(lines[0])}, are not in the order of their numbers; ${advice}`;
}

const shortened = (text) => (text.length > 40 ? `${text.slice(0, 40)}..` : text);

// The rows of a JSON list or object; nothing if it has other values in it, or a key twice.
function literal(text) {
  try {
    const value = JSON.parse(text.replace(/^\uFEFF/, "")), rows = Array.isArray(value) ? value.map((name) => [name]) : Object.entries(value);
    const cells = rows.flat(), texts = cells.filter((cell) => typeof cell == "string"), quoted = text.match(/"(\\.|[^"\\])*"/g);
    const arePlain = cells.every((cell) => typeof cell == "string" || Number.isInteger(cell));
    if (rows.length && arePlain && texts.length == quoted.length) return rows.map((row) => row.map(String));
  } catch { /* not JSON */ }
}

// A line such as `0 cat`, `0: cat` or `0) cat`.
function numberFirst(line) {
  const [, label, name] = /^(\d+)(?:\.0(?!\d))?(?:\s*[:=,;|]|\s*[.)-](?=\s)|(?=\s)(?!\s*[.)-]))\s*(.+)$/.exec(line) ?? [];
  return name && isLabel(label) ? [label, unquoted(name.trim())] : undefined;
}

// A line such as `cat 0` or `cat: 0`.
function numberLast(line) {
  const [, front, label] = /^(.*\D)(\d+)$/.exec(line) ?? [], name = front?.trimEnd().replace(/[:=]+$/, "").trimEnd().replace(/ -$/, "").trimEnd();
  return name && name.length < front.length && isLabel(label) ? [unquoted(name), label] : undefined;
}

// The names in a table with a column of labels; nothing if it has none.
function listed(rows, arePairs) {
  const width = rows[0]?.length, column = (index) => rows.map((row) => row[index]);
  const labels = [...Array(width).keys()].filter((index) => column(index).every(isLabel) && (arePairs || areDistinct(column(index).map(Number))));
  if (!(width > 1) || !labels.length || rows.some((row) => row.length != width)) return;
  if (width > 2) return { words: "this list has several columns; write a line `0 name` for each class" };
  const names = column(1 - labels[0]), characters = names.map((name) => name.split(/\s+/).filter((code) => code).map(character));
  const areCodes = characters.every((all) => all.every((one) => one));
  return named(column(labels[0]).map((label, i) => [+label, areCodes ? characters[i].join("") : names[i]]));
}

// The character of a code point, such as 65 or U+304A, as in the lists of EMNIST.
function character(text) {
  const code = /^U\+[\da-f]+$/i.test(text) ? parseInt(text.slice(2), 16) : /^\+?\d+$/.test(text) ? +text : Infinity;
  const found = code < 0x110000 ? String.fromCodePoint(code) : " ";
  return /[\p{Cc}\p{Cs}\p{White_Space}]/u.test(found) ? "" : found;
}

// Names by label.
function named(all) {
  const pairs = all.filter(([, name]) => name), names = new Map(pairs);
  const twice = pairs.find(([label], i) => pairs.findIndex(([other]) => other == label) < i), words = [...names.values()];
  if (!pairs.length) return { words: "there are no class names; write one in each line" };
  if (twice) return { words: `two lines name class ${twice[0]}; remove one of them` };
  const same = words.find((name, i) => words.indexOf(name) < i);
  return same === undefined ? { names } : { words: `two classes have the name \`${same}\`; rename one of them` };
}

// The first of several files with other spellings, if they are the same; throws the sentence if they are not.
async function oneOf(files) {
  const [first] = files, same = async (other) => String(first.dims) == String(other.dims) && first.type == other.type
    && String(await startOf(first.blob, 65536)) == String(await startOf(other.blob, 65536));
  for (const other of files.slice(1)) {
    const advice = first.path == other.path ? "drop the files of one set at a time, or their folders" : "remove or rename one of them";
    if (!await same(other)) throw [other, `${first.name} and ${other.name} differ, and either could be meant; ${advice}`];
  }
  return first;
}

// The labels that a file has for these records; throws the sentence if it has none.
async function labelsOf(file, records) {
  const { dims, elements, count, type } = file, declared = ({ dims: [declared = 1], count }) => declared || count;
  if (dims.length < 1 || dims.length > 2) throw [file, `labels have 1 or 2 dimensions, and these have ${dims.length}; choose a file of labels`];
  if (!elements) throw [file, "there is no column 0; the file has 0 columns, counted from 0"];
  if (declared(file) != declared(records)) throw [file, `${counted(declared(file), "label")} for the ${counted(declared(records), "record")} of ${records.name}; use the matching files, or download both again`];
  const values = await numbers(file, 0, count, Infinity), labels = [];
  let isHot;
  for (let start = 0; start < values.length; start += elements) {
    const row = values.subarray(start, start + elements), at = `record ${start / elements}`;
    if (elements == 1) {
      if (!Number.isInteger(row[0])) throw [file, `${at}: ${written(row[0], type)} is not a label, a whole number; round it, or choose another column`];
      labels.push(row[0]);
      continue;
    }
    // A single 1, or the eight columns of QMNIST: one is the code of a character, and the last is zero.
    const hot = row.indexOf(1), hotRow = hot >= 0 && row.every((value, i) => value === +(i == hot));
    const isLabel = hotRow || type == "i32" && elements == 8 && row[7] == 0 && row.some((value) => value != 0 && value != 1);
    if (!isLabel || (isHot ??= hotRow) != hotRow) throw [file, `${at}: the labels have ${elements} columns, and this row is not one-hot; choose the column of the labels`];
    labels.push(hotRow ? hot : row[0]);
  }
  return labels;
}

// Gives the records their labels and class names, and adds the sentences about what does not fit. Returns the files to
// show: each array once, and labels only if they belong to no records.
async function pair(all) {
  const files = all.filter(({ dims }) => dims), used = new Set();
  for (const file of files) file.says = parse(file.name);
  const found = ({ folder }, names) => names.flatMap((name) => all.filter((file) => file.folder == folder && file.name == name));
  for (const file of files.filter(({ says }) => says && says.kind != "labels")) {
    if (used.has(file)) continue;
    try {
      const twins = found(file, spelled(file.says, file.says.kind)).filter(({ dims }) => dims);
      await oneOf(twins);
      for (const twin of twins) if (twin != file) used.add(twin);
      const names = spelled(file.says, "labels", true), beside = found(file, names), labels = beside.filter(({ dims }) => dims);
      if (file.says.kind && !beside.length) file.lacks = names.find((name) => /ubyte/i.test(name)) ?? names[0];
      if (!labels.length) continue;
      const own = await oneOf(labels);
      // A truncated file has fewer records than labels.
      file.labels = (await labelsOf(own, file)).slice(0, file.count);
      file.labelsName = own.name;
      for (const label of labels) used.add(label);
      // Next to several sets, a list without a prefix could be that of any.
      const sets = new Set(files.filter(({ says, folder }) => says?.kind == "images" && folder == file.folder).map(({ says }) => (partOf(says.stem) ?? says.stem).replace(/[-_.]$/, "")));
      const list = found(file, lists(file.says)).find(({ name }) => sets.size < 2 || name != "classes.txt");
      if (!list?.names) continue;
      list.isUsed = true;
      const zero = file.labels.indexOf(0), before = zero < 0 ? file.labels : file.labels.slice(0, zero);
      // Labels from 1 on may be counted from 0 in the list, unless there is a 0 among them.
      const at = before.findIndex((label) => label > 0 && !list.names.has(label)), lacking = file.labels[at];
      if (at >= 0) throw [file, `record ${at}: ${list.name} has no name for the label ${lacking}; write a line \`${lacking} name\` for it, or one for each`];
      file.names = list.names;
    } catch (sentence) {
      if (!Array.isArray(sentence)) throw sentence;
      const [about, words] = sentence;
      about.sentences.add(words);
    }
  }
  for (const list of all.filter(({ names, isUsed }) => names && !isUsed)) {
    list.sentences.add(`${counted(list.names.size, "class name")}, but no labels for them; drop the list together with its images and labels`);
  }
  return files.filter((file) => !used.has(file));
}

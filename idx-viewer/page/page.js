// The page: shows files, and does what buttons and keys ask for.

const $ = (selector) => document.querySelector(selector);
const element = (tag, ...content) => { const made = document.createElement(tag); made.append(...content); return made };
const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

let opened = [], files = [], file, view, records, chosen, first = 0, page = 1, loads = 0, drawn = 0, shown = 0, drawings = 0;

// Reads files, each with its path, and shows them instead of earlier ones.
async function load(given) {
  document.body.classList.remove("over");
  // Some text, or an empty folder; the page stays as it is.
  if (!given.length) return $("#facts").textContent = "There are no files here; drop IDX files.";
  const mine = ++loads, states = new Map();
  for (const { path } of given) states.set(path, "");
  const tell = () => {
    // Not of all files: there may be many.
    const [one, two, three] = states, some = [one, two, three].filter((state) => state);
    if (mine == loads && one) $("#facts").textContent = `Reading ${some.map(([path, state]) => path + state).join(", ")} …`;
  };
  for (const selector of ["#sentences", "#records", "#classes"]) $(selector).replaceChildren();
  $("#controls").hidden = true;
  $("#drop").classList.add("used");
  // Ends drawings of earlier files.
  drawn++;
  drawings++;
  $("dialog").close();
  tell();
  const all = [], left = given.entries(), read = async () => {
    for (const [i, { file, path }] of left) {
      if (mine != loads) return;
      const passed = (size) => { states.set(path, ` (${Math.floor(100 * size / file.size)} %)`); tell() };
      const one = await open({ file, path }, passed).catch(({ message }) => ({ path, folder: "", name: path, words: message }));
      states.delete(path);
      tell();
      all[i] = { ...one, sentences: new Set(one.words ? [one.words] : []) };
    }
  };
  // A few at a time: all files of a large folder at once are too much for a browser.
  await Promise.all([read(), read(), read(), read()]);
  if (mine != loads) return;
  // A folder has other files, too.
  const ours = all.filter(({ folder, name, dims }) => !folder || dims || parse(name) || LIST.test(name));
  const some = all.some(({ dims }) => dims) ? ours : all, together = await pair(some);
  if (mine != loads) return;
  files = together;
  opened = some;
  tellSentences();
  $("#file").replaceChildren(...files.map(({ path }, i) => new Option(path, i)));
  $("#controls").hidden = !files.length;
  await chooseFile();
}

// Shows what is wrong with the files.
function tellSentences() {
  const told = opened.flatMap(({ path, sentences }) => [...sentences].map((words) => `${path}: ${words}`)), some = told.slice(0, 200);
  if (told.length > some.length) some.push(`and ${told.length - some.length} more`);
  $("#sentences").replaceChildren(...some.map((words) => element("p", words)));
}

async function chooseFile() {
  file = files[$("#file").value];
  if (!file) return $("#facts").textContent = "";
  const { type, dims, labels, labelsName, lacks, count } = file, of = labels ? `, labels in ${labelsName}` : lacks ? `; drop ${lacks} with it to see the labels` : "";
  $("#facts").textContent = `${type}, ${dims.join(" x ") || "a single element"}${count ? "" : ": no records"}${of}`;
  const ways = views(file), counts = new Map();
  $("#view").replaceChildren(...ways.map(({ name }, i) => new Option(`as ${name}`, i)));
  $("#view").hidden = ways.length < 2;
  for (const label of labels ?? []) counts.set(label, (counts.get(label) ?? 0) + 1);
  const most = Math.max(...[...counts.values()].slice(0, 1000));
  const classes = counts.size > 1000 ? [] : [...counts].sort(([one], [other]) => one - other);
  $("#classes").replaceChildren(...classes.length ? [classButton("all", count, "")] : [], ...classes.map(([label, count]) => classButton(className(label), count, label, count / most)));
  await chooseView();
}

const className = (label) => label === undefined ? "" : `${label} ${file.names?.get(label) ?? ""}`.trim();

// A class with the number of its records, as a bar.
function classButton(name, count, label, share = 0) {
  const button = element("button", name, " ", element("small", grouped(count)));
  button.style.setProperty("--share", `${100 * share}%`);
  button.value = label;
  button.onclick = () => chooseClass(label);
  return button;
}

async function chooseView() {
  view = views(file)[$("#view").value];
  $("#transpose").parentNode.hidden = !view.step;
  await chooseClass("");
}

async function chooseClass(label) {
  chosen = label;
  for (const button of $("#classes").children) button.ariaPressed = button.value == String(label);
  records = label !== "" && file.labels.flatMap((found, index) => found == label ? [index] : []);
  await draw(0);
}

const total = () => records ? records.length : file.count;

async function draw(start) {
  const mine = ++drawn, most = view.step ? 2e6 : 2e4, width = view.step ? file.elements : Math.min(file.elements, 100);
  page = Math.max(1, Math.min(view.step ? 120 : 300, Math.floor(most / width)));
  first = Math.max(0, Math.min(start, total() - page));
  const figures = await Promise.all(Array.from({ length: Math.min(page, total() - first) }, (_, i) => figure(first + i)));
  if (mine != drawn) return;
  $("#records").replaceChildren(...figures);
  $("#first").value = first;
  $("#range").textContent = figures.length ? `to ${first + figures.length - 1} of ${total()}` : "";
}

const recordAt = (place) => records ? records[place] : place;
const drawing = (values, room) => picture(view, values, file.type == "u8", $("#transpose").checked, room);

// A small picture, or the first numbers, of the record at this place among the chosen ones.
async function figure(place) {
  const index = recordAt(place), name = className(file.labels?.[index]), values = await numbers(file, index, 1, view.step ? undefined : 101);
  const button = element("button", view.step ? await drawing(values, 84) : element("code", rows(values.subarray(0, 100)) + (values.length > 100 ? " …" : "")));
  button.title = `Record ${index}${name && `, ${name}`}`;
  button.onclick = () => enlarge(place);
  return element("figure", button, element("figcaption", element("b", name), " ", element("small", `#${index}`)));
}

// Numbers in rows of the last dimension, or of the picture that shows them.
function rows(values, width = file.dims.length > 1 ? file.dims.at(-1) : 1, room = 0) {
  let text = "";
  values.forEach((value, i) => text += (i ? i % width ? " " : "\n" : "") + written(value, file.type).padStart(room));
  return text;
}

// One record, large, with all its numbers.
async function enlarge(place) {
  const mine = ++drawings;
  shown = Math.max(0, Math.min(place, total() - 1));
  const index = recordAt(shown), { offset, size, elements, dims } = file, values = await numbers(file, index, 1, view.step ? undefined : 20000), some = values.subarray(0, 20000);
  const large = view.step ? [await drawing(values, 420)] : [];
  if (mine != drawings) return;
  const room = some.reduce((most, value) => Math.max(most, written(value, file.type).length), 1);
  $("#record").textContent = `Record ${index}${file.labels ? `: ${className(file.labels[index])}` : ""}`;
  $("#place").textContent = `${file.type}, ${dims.slice(1).join(" x ") || "one number"}, from byte ${grouped(offset + index * size)} on${file.isPacked ? " of the decompressed file" : ""}`;
  $("#large").replaceChildren(...large);
  $("dialog pre").textContent = rows(some, dims.length == 2 && view.step ? view.width : undefined, room) + (elements > some.length ? ` … and ${grouped(elements - some.length)} more` : "");
  if (!$("dialog").open) $("dialog").showModal();
}

// All files that were dropped, also in folders: by handles, or by the older entries. Chromium reads no entries for a
// page that is a file itself.
async function dropped(items) {
  const found = [], walk = async (entry, folder = "") => {
    const path = folder + entry.name;
    if (entry.getFile) return found.push({ path, file: await entry.getFile() });
    if (entry.isFile) return found.push({ path, file: await new Promise((give, fail) => entry.file(give, fail)) });
    for await (const inner of entry.values?.() ?? inside(entry.createReader())) await walk(inner, `${path}/`);
  };
  // The list is empty after the first wait.
  const entries = [...items].map((item) => item.getAsFileSystemHandle?.() ?? item.webkitGetAsEntry());
  for (const entry of await Promise.all(entries)) if (entry) await walk(entry);
  return ofFolder(found);
}

// The entries of a folder; browsers list them in pieces.
async function* inside(reader) {
  for (let some; (some = await new Promise((give, fail) => reader.readEntries(give, fail))).length;) yield* some;
}

// The files without those that systems hide in folders.
const ofFolder = (found) => found.filter(({ path }) => !/(^|\/)\./.test(path)).sort((one, other) => one.path < other.path ? -1 : 1);
const given = (files) => ofFolder([...files].map((file) => ({ file, path: file.webkitRelativePath || file.name })));

async function showSample() {
  const both = await sample(), end = both.size - SAMPLE_LABELS;
  await load([["sample-images-idx3-ubyte", both.slice(0, end)], ["sample-labels-idx1-ubyte", both.slice(end)]].map(([path, file]) => ({ path, file })));
}

const move = (pages) => $("dialog").open ? enlarge(shown + Math.sign(pages)) : draw(first + pages * page);
const actions = { ArrowLeft: () => move(-1), ArrowRight: () => move(1), Home: () => $("dialog").open || draw(0), End: () => $("dialog").open || draw(Infinity), t: () => $("#transpose").click() };
for (const [button, input] of [["#choose", "#open"], ["#choose-folder", "#open-folder"]]) {
  $(button).onclick = () => $(input).click();
  $(input).onchange = ({ target }) => {
    load(given(target.files));
    // Otherwise the same files could not be chosen again.
    target.value = "";
  };
}
$("#sample").onclick = showSample;
ondragover = (event) => { event.preventDefault(); document.body.classList.add("over") };
ondragleave = ({ relatedTarget }) => relatedTarget || document.body.classList.remove("over");
ondrop = async (event) => {
  event.preventDefault();
  $("#facts").textContent = "Reading …";
  const found = await dropped(event.dataTransfer.items).catch(() => {});
  if (found) return load(found);
  document.body.classList.remove("over");
  $("#facts").textContent = "The browser cannot read what was dropped; choose the files or the folder instead.";
};
$("#file").onchange = chooseFile;
$("#view").onchange = chooseView;
$("#transpose").onchange = async () => { await draw(first); if ($("dialog").open) enlarge(shown) };
$("#first").onchange = ({ target }) => draw(Math.floor(target.value));
$("#back").onclick = $("#before").onclick = actions.ArrowLeft;
$("#on").onclick = $("#after").onclick = actions.ArrowRight;
$("#close").onclick = () => $("dialog").close();
// A file that changed since it was dropped cannot be read any more.
onunhandledrejection = (event) => {
  if (!/^Not(Readable|Found)Error$/.test(event.reason?.name) || !file) return;
  event.preventDefault();
  file.sentences.add("the file has changed since it was dropped; drop it again");
  tellSentences();
};
onkeydown = ({ key, target, ctrlKey, metaKey, altKey }) => {
  const isTyping = ["select-one", "number"].includes(target.type) || target.matches("dialog pre");
  if (file && !$("#controls").hidden && !ctrlKey && !metaKey && !altKey && !isTyping) actions[key]?.();
};

const $ = (selector) => document.querySelector(selector);
const element = (tag, ...content) => { const made = document.createElement(tag); made.append(...content); return made };
const product = (sizes, first) => sizes.reduce((product, size) => product * size, first);
const counted = (count, unit) => `${count} ${unit}${count == 1 ? "" : "s"}`;
const hex = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");
// Bytes as quoted text, if they are one; its last character may be cut.
function textOf(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    if (text && !/[\0-\x08\x0B\x0E-\x1F\x7F-\x9F]/.test(text)) return JSON.stringify(text);
  } catch { /* not text */ }
}
const TYPES = { 8: "u8", 9: "i8", 11: "i16", 12: "i32", 13: "f32", 14: "f64" };
const gzipStart = (bytes) => bytes[0] == 0x1F && bytes[1] == 0x8B;
const gunzip = (blob) => new Response(blob.stream().pipeThrough(new DecompressionStream("gzip"))).blob();

// Decompresses these bytes up to the end of a gzip member: the first `known` at once, then `step` at a time.
async function inflate(bytes, known, step) {
  const stream = new DecompressionStream("gzip"), writer = stream.writable.getWriter(), parts = [];
  const reading = (async () => { for await (const part of stream.readable) parts.push(part) })().catch(() => {});
  const member = { parts, size: 0 };
  try {
    for (let end = known; member.size < bytes.length; end += step) {
      await writer.write(bytes.subarray(member.size, end));
      member.size = Math.min(end, bytes.length);
    }
    await new Promise((areRead) => setTimeout(areRead));
    await writer.close();
    member.isWhole = true;
  } catch ({ message }) { member.wrong = /.*: (.*)\./.exec(message)?.[1] ?? "invalid data" }
  await reading;
  return member;
}

// What a gzip file holds, and the sentence about what is wrong behind that.
async function decompress(file) {
  try { return [await gunzip(file)] } catch { /* It has several members, or a fault. */ }
  const parts = [];
  for (let rest = new Uint8Array(await file.arrayBuffer());;) {
    let size = 0, why;
    for (const step of [65536, 256, 1]) ({ size, wrong: why } = await inflate(rest, size, step));
    const member = await inflate(rest.subarray(0, size), size, 1);
    parts.push(...member.parts);
    const blob = new Blob(parts), after = counted(blob.size, "decompressed byte"), again = "download or copy the file again";
    if (!member.isWhole) return [blob, (missing) => size < rest.length ? `the gzip data is corrupt after ${after}: ${why}; ${again}`
      : `the gzip data is truncated after ${after}${missing ? `, ${missing} missing` : ""}; ${again}`];
    rest = rest.subarray(size);
    const zeros = rest.findIndex((byte) => byte), [first, second = 0x8B] = rest.subarray(zeros);
    if (zeros < 0) return [blob];
    if (zeros || first != 0x1F || second != 0x8B) return [blob, () => `extra bytes follow the gzip data (${after}), the first is ${hex(first)}; remove them`];
  }
}

// A file with its header, and with the sentence of `idx check` if something is wrong.
async function open(file) {
  const name = file.name.replace(/ \(\d+\)/, ""), startOf = async (blob, size) => new Uint8Array(await blob.slice(0, size).arrayBuffer());
  if (name.endsWith("classes.txt")) return { name, names: (await file.text()).trimEnd().split(/\r?\n/) };
  const [blob, fault] = gzipStart(await startOf(file, 2)) ? await decompress(file) : [file];
  const start = await startOf(blob, 1536), view = new DataView(start.buffer), isUnfinished = start[0] == 0xFF && start[1] == 0xFF && (start[2] ^ 0x80) in TYPES;
  if (gzipStart(start)) return { name, words: "this is gzip within gzip; decompress it once with `gunzip`" };
  const shown = textOf(start.slice(0, 16)) ?? [...start.slice(0, 16)].map(hex).join(" ") + (start.length < 4 ? "" : ` (the first four are ${view.getUint32(0)} in decimal)`);
  if (isUnfinished) start.set([0, 0, start[2] ^ 0x80]), start.fill(0, 4, 8);
  const shared = new Uint8Array(wasm.memory.buffer, wasm.shared(), 2048);
  shared.set(start);
  const words = new TextDecoder().decode(shared.slice(0, wasm.check(start.length, blob.size))).replace("\0", shown);
  const type = !start[0] && !start[1] && TYPES[start[2]], offset = 4 + 4 * start[3];
  if (start.length < 4 || type && start.length < offset) return { name, words: fault?.() ?? words };
  if (!type) return { name, words };
  const dims = Array.from({ length: start[3] }, (_, i) => view.getUint32(4 + 4 * i)), [declared = 1] = dims, width = type.slice(1) / 8;
  const needed = dims.includes(0) ? 0n : product(dims.map(BigInt), BigInt(width)), elements = product(dims.slice(1), 1), size = elements * width;
  if (needed >> 64n) return { name, words };
  const found = blob.size - offset, whole = size ? Math.floor(found / size) : declared, count = isUnfinished ? whole : Math.min(whole, declared);
  const says = wrong({ isUnfinished, fault, needed, found, size, whole, words, offset, declared });
  return { name, blob, type, width, offset, dims, elements, size, count, words: says && !isUnfinished ? `${says} (after ${counted(count, "whole record")})` : says };
}

// The sentence about a payload that has `found` bytes.
function wrong({ isUnfinished, fault, needed, found, size, whole, words, offset, declared }) {
  const extra = BigInt(found) - needed, from = `from offset ${BigInt(offset) + needed}`, follow = whole == 1 ? "record follows" : "records follow";
  if (isUnfinished) return `the file was not finished, ${size ? `${whole} whole ${follow}` : `an unknown number of records follows`} the header; write it again, or keep them by repairing it with \`idx repair\``;
  if (extra <= 0n) return fault ? fault(-extra) : extra && words;
  if (fault) return `extra bytes after the payload: ${extra} ${from}, and then ${fault()}`;
  const times = needed < 64n || extra % needed ? 0n : extra / needed + 1n;
  if (times && times < 5n) return `the file has ${times} times the payload of the header: ${extra} extra bytes ${from}; channels or records may be missing in the header, correct it`;
  const advice = size && extra >= size ? `if they are records, keep them by repairing the file with \`idx repair${declared ? " --keep-all" : ""}\`` : "correct the header if they belong to it";
  return `extra bytes after the payload: ${counted(extra, "byte")} ${from}; remove them, or ${advice}`;
}

// The numbers of a record, but not all of a very large one.
async function numbers({ blob, type, width, offset, size }, index) {
  const start = offset + index * size, most = Math.min(size, 2 ** 27), get = `get${{ u: "Uint", i: "Int", f: "Float" }[type[0]]}${width * 8}`;
  const view = new DataView(await blob.slice(start, start + most).arrayBuffer());
  return Array.from({ length: most / width }, (_, i) => view[get](i * width));
}

// Height and width of a picture, and how far its pixels and its colors are apart; nothing for other records.
function layout({ dims: [, a, b, c], dims: { length }, elements }) {
  if (!elements || elements > 2 ** 24 || length < 3 || length > 4) return [];
  return length == 3 || c == 1 ? [a, b, 1, 0] : c == 3 ? [a, b, 3, 1] : a == 3 ? [b, c, 1, b * c] : a == 1 ? [b, c, 1, 0] : [];
}

function picture([height, width, step, plane], values, isByte, isTransposed) {
  const canvas = element("canvas"), finite = values.filter(Number.isFinite);
  [canvas.width, canvas.height] = isTransposed ? [height, width] : [width, height];
  canvas.style.width = canvas.width * Math.max(1, Math.floor(84 / Math.max(width, height))) + "px";
  const least = isByte ? 0 : finite.reduce((a, b) => Math.min(a, b), Infinity);
  const range = isByte ? 255 : finite.reduce((a, b) => Math.max(a, b), -Infinity) - least || 1;
  const context = canvas.getContext("2d"), image = context.createImageData(canvas.width, canvas.height);
  image.data.forEach((_, i) => {
    const pixel = i >> 2, at = isTransposed ? (pixel % height) * width + Math.floor(pixel / height) : pixel;
    image.data[i] = i % 4 == 3 ? 255 : (values[at * step + i % 4 * plane] - least) / range * 255;
  });
  context.putImageData(image, 0, 0);
  return canvas;
}

let files = [], file, records, first = 0, page = 1, drawn = 0;

// The start of a name, which records, labels and names of classes share.
const prefix = (name) => name.replace(/\.gz$/, "").replace(/(^|[-_.])(images|labels|classes\.txt)\b.*|\.idx$/, "");

async function load(dropped) {
  const all = await Promise.all([...dropped].map((file) => open(file).catch(({ message }) => ({ name: file.name, words: message }))));
  const labels = all.filter(({ name, dims }) => /labels/.test(name) && dims?.length < 3);
  files = all.filter((file) => file.count && !labels.includes(file));
  for (const file of files) {
    file.names = all.find(({ name, names }) => names && prefix(file.name).startsWith(prefix(name)))?.names;
    const own = labels.find(({ name }) => prefix(name) == prefix(file.name));
    if (own?.dims[0] == file.dims[0]) file.labels = own;
    else if (own) own.words ||= `${own.dims[0]} labels, but ${file.dims[0]} images`;
  }
  files.push(...labels.filter((labels) => labels.count && !files.some((file) => file.labels == labels)));
  $("section").replaceChildren(...all.filter(({ words }) => words).map(({ name, words }) => element("p", `${name}: ${words}`)));
  $("#file").replaceChildren(...files.map(({ name }, i) => new Option(name, i)));
  $("nav").hidden = !files.length;
  await chooseFile();
}

async function chooseFile() {
  file = files[$("#file").value];
  $("#facts").textContent = file ? `${file.type}, ${file.dims.join(" x ") || "a single element"}${file.labels ? `, labels in ${file.labels.name}` : ""}` : "";
  if (!file) return $("main").replaceChildren();
  const { labels } = file, all = labels ? await numbers({ ...labels, size: labels.size * labels.count }, 0) : [];
  file.classes = all.filter((_, i) => i % labels.elements == 0);
  const classes = [...new Set(file.classes)].sort((a, b) => a - b);
  $("#class").hidden = !labels || classes.length > 1000;
  $("#class").replaceChildren(new Option("all classes", ""), ...classes.map((label) => new Option(className(label), label)));
  await chooseClass();
}

const className = (label) => label === undefined ? "" : `${label} ${file.names?.[label] ?? ""}`;

async function chooseClass() {
  const label = $("#class").value;
  records = label && file.classes.flatMap((found, index) => found == label ? [index] : []);
  await draw(0);
}

async function draw(start) {
  const isPicture = layout(file).length > 0, total = records ? records.length : file.count, mine = ++drawn;
  page = Math.max(1, Math.min(isPicture ? 120 : 600, Math.floor(isPicture ? 2e6 / file.elements : 2e4 / Math.min(file.elements, 1000))));
  first = Math.max(0, Math.min(start, total - page));
  const figures = await Promise.all(Array.from({ length: Math.min(page, total - first) }, (_, i) => figure(records ? records[first + i] : first + i, isPicture)));
  if (mine != drawn) return;
  $("main").replaceChildren(...figures);
  $("#first").value = first;
  $("#range").textContent = `to ${first + figures.length - 1} of ${total}`;
}

async function figure(index, isPicture) {
  const values = await numbers(file, index), row = file.dims.length > 1 ? file.dims.at(-1) : 1;
  const text = () => values.slice(0, 1000).reduce((text, value, i) => text + (i ? i % row ? " " : "\n" : "") + value, "") + (values.length > 1000 ? " …" : "");
  const shown = isPicture ? picture(layout(file), values, file.type == "u8", $("#transpose").checked) : element("pre", text());
  return element("figure", shown, element("figcaption", element("b", className(file.classes[index])), " ", element("small", `#${index}`)));
}

const actions = { ArrowLeft: () => draw(first - page), ArrowRight: () => draw(first + page), Home: () => draw(0), End: () => draw(Infinity), t: () => $("#transpose").click() };
$("#open").onchange = ({ target }) => load(target.files);
ondragover = (event) => event.preventDefault();
ondrop = (event) => { event.preventDefault(); load(event.dataTransfer.files) };
$("#file").onchange = chooseFile;
$("#class").onchange = chooseClass;
$("#transpose").onchange = () => draw(first);
$("#first").onchange = ({ target }) => draw(+target.value);
$("#back").onclick = actions.ArrowLeft;
$("#on").onclick = actions.ArrowRight;
onkeydown = ({ key, target, ctrlKey, metaKey, altKey }) => {
  if (file && !ctrlKey && !metaKey && !altKey && !["select-one", "number"].includes(target.type)) actions[key]?.();
};

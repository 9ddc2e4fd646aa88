// One file: its header, the sentence of `idx check` if something is wrong, and the numbers of its records.

const TYPES = { 8: "u8", 9: "i8", 11: "i16", 12: "i32", 13: "f32", 14: "f64" };
const LIST = /classes\.txt$/;
const product = (sizes, first) => sizes.reduce((product, size) => product * size, first);
const startOf = async (blob, size) => new Uint8Array(await blob.slice(0, size).arrayBuffer());

// Bytes as quoted text, if they are text; the last character may be cut.
function textOf(bytes) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
    if (text && !/[\0-\x08\x0B\x0E-\x1F\x7F-\x9F]/.test(text)) return JSON.stringify(text);
  } catch { /* not text */ }
}

// A file with its header, and with a sentence in `words` if something is wrong.
async function open({ file, path }, passed) {
  // Browsers number files that they download twice, at the end of the name; numbers of folders stay.
  const [, folder = "", given] = /^(.*\/)?(.*)$/s.exec(path), name = given.replace(/ ?\(\d+\)(?=(\.[^.]*)?$)/, ""), opened = { path, folder, name };
  if (LIST.test(name)) return { ...opened, ...file.size > 2 ** 20 ? NO_LIST : classNames(await file.text(), name) };
  const isPacked = isGzip(await startOf(file, 2)), [blob, fault] = isPacked ? await decompress(file, passed) : [file];
  const start = await startOf(blob, 1536), view = new DataView(start.buffer), isUnfinished = start[0] == 0xFF && start[1] == 0xFF && (start[2] ^ 0x80) in TYPES;
  if (isGzip(start)) return { ...opened, words: "this is gzip within gzip; decompress it once with `gunzip`" };
  const shown = textOf(start.slice(0, 16)) ?? [...start.slice(0, 8)].map(hex).join(" ") + (start.length < 4 ? "" : ` (the first four: ${view.getUint32(0)})`);
  if (isUnfinished) start.set([0, 0, start[2] ^ 0x80]), start.fill(0, 4, 8);
  const shared = new Uint8Array(wasm.memory.buffer, wasm.shared(), 2048);
  shared.set(start);
  const words = new TextDecoder().decode(shared.slice(0, wasm.check(start.length, blob.size))).replace("\0", shown);
  const type = !start[0] && !start[1] && TYPES[start[2]], offset = 4 + 4 * start[3];
  if (start.length < 4 || type && start.length < offset) return { ...opened, words: fault?.() ?? words };
  if (!type) return { ...opened, words };
  const dims = Array.from({ length: start[3] }, (_, i) => view.getUint32(4 + 4 * i)), [declared = 1] = dims, width = type.slice(1) / 8;
  const needed = dims.includes(0) ? 0n : product(dims.map(BigInt), BigInt(width)), elements = product(dims.slice(1), 1), size = elements * width;
  if (needed >> 64n) return { ...opened, words };
  const found = blob.size - offset, whole = size ? Math.floor(found / size) : declared, count = isUnfinished ? whole : Math.min(whole, declared);
  const says = wrong({ isUnfinished, fault, needed, found, size, whole, words, offset, declared });
  if (says) opened.words = isUnfinished ? says : `${says} (after ${counted(count, "whole record")})`;
  if (isUnfinished) dims[0] = count;
  return { ...opened, isPacked, blob, type, width, offset, dims, elements, size, count };
}

// The sentence about a payload that has `found` bytes.
function wrong({ isUnfinished, fault, needed, found, size, whole, words, offset, declared }) {
  const extra = BigInt(found) - needed, from = `from offset ${BigInt(offset) + needed}`, follow = whole == 1 ? "record follows" : "records follow";
  if (isUnfinished) return `the file was not finished, ${size ? `${whole} whole ${follow}` : `an unknown number of records follows`} the header; write it again, or keep them by repairing it with \`idx repair\``;
  if (extra <= 0n) return fault ? fault(-extra) : extra && words;
  if (fault) return `extra bytes after the payload: ${extra} ${from}, and then ${fault()}`;
  const times = needed < 64n || extra % needed ? 0n : extra / needed + 1n;
  if (times && times < 5n) return `the file has ${times} times the payload of the header: ${extra} extra bytes ${from}; correct the header if it lacks channels or records`;
  const advice = size && extra >= size ? `if they are records, keep them by repairing the file with \`idx repair${declared ? " --keep-all" : ""}\`` : "correct the header if they belong to it";
  return `extra bytes after the payload: ${counted(extra, "byte")} ${from}; remove them, or ${advice}`;
}

// The numbers of some records, but at most `limit` of large ones.
async function numbers({ blob, type, width, offset, size }, first, count = 1, limit = 2 ** 24) {
  const start = offset + first * size, most = Math.min(size * count, limit * width), buffer = await blob.slice(start, start + most).arrayBuffer();
  if (buffer.byteLength < most) throw new DOMException("the file is shorter than before", "NotReadableError");
  if (width == 1) return new { u8: Uint8Array, i8: Int8Array }[type](buffer);
  const view = new DataView(buffer), values = new Float64Array(most / width);
  const read = view[`get${{ i: "Int", f: "Float" }[type[0]]}${width * 8}`].bind(view);
  for (let i = 0; i < values.length; i++) values[i] = read(i * width);
  return values;
}

// A number in the fewest digits.
function written(value, type) {
  const short = type == "f32" && [6, 7, 8, 9].map((digits) => +value.toPrecision(digits)).find((short) => Math.fround(short) == value);
  return String(short || value);
}

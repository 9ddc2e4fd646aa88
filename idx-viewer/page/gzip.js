// Decompresses gzip files of any number of members, with the browser's own decompressor.

const counted = (count, unit) => `${count} ${unit}${count == 1 ? "" : "s"}`;
const hex = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");
const isGzip = (bytes) => bytes[0] == 0x1F && bytes[1] == 0x8B;

// The content of a member, or of a file of one member.
const gunzip = (stream) => new Response(stream.pipeThrough(new DecompressionStream("gzip")));

// The same of a file; `passed` is called with the number of compressed bytes that were read.
function gunzipFile(file, passed) {
  let size = 0;
  return gunzip(file.stream().pipeThrough(new TransformStream({ transform(piece, on) { passed(size += piece.length); on.enqueue(piece) } }))).blob();
}

// The content of a gzip file, and if something is wrong after it, a function for the sentence, which takes the number
// of missing bytes.
async function decompress(file, passed) {
  try { return [await gunzipFile(file, passed)] } catch { /* It has several members, or a fault. */ }
  const bytes = new Uint8Array(await file.arrayBuffer()), parts = [];
  for (let start = 0;;) {
    passed(start);
    const member = await memberAt(bytes, start);
    // A browser may keep a blob on disk.
    parts.push(new Blob(member.parts));
    start += member.size;
    const zeros = bytes.subarray(start).findIndex((byte) => byte), [first, second = 0x8B] = bytes.subarray(start + zeros);
    if (member.isWhole && !zeros && first == 0x1F && second == 0x8B) continue;
    const blob = new Blob(parts), after = counted(blob.size, "decompressed byte"), again = "download or copy the file again";
    if (member.isWhole && zeros < 0) return [blob];
    if (member.isWhole) return [blob, () => `extra bytes follow the gzip data (${after}), the first is ${hex(first)}; leave them out with \`gunzip -c FILE > NEW\``];
    return [blob, (missing) => start < bytes.length ? `the gzip data is corrupt after ${after}: ${member.wrong}; ${again}`
      : `the gzip data is truncated after ${after}${missing ? `, ${missing} missing` : ""}; ${again}`];
  }
}

// The member that starts here: usually it ends where the next one seems to start.
async function memberAt(bytes, start) {
  for (let tries = 0, end = start; tries < 8 && end < bytes.length; tries++) {
    end = nextStart(bytes, end + 18);
    try { return { isWhole: true, size: end - start, parts: [await gunzip(new Blob([bytes.subarray(start, end)]).stream()).arrayBuffer()] } } catch { /* It does not. */ }
  }
  const rest = bytes.subarray(start);
  let size = 0, wrong;
  for (const step of [65536, 256, 1]) ({ size, wrong } = await inflate(rest, size, step));
  return { ...await inflate(rest.subarray(0, size), size, 1), wrong };
}

// The next place where a member may start: at the first bytes of gzip, or at the end.
function nextStart(bytes, from) {
  for (let at = from; (at = bytes.indexOf(0x1F, at)) >= 0; at++) {
    if (bytes[at + 1] == 0x8B && bytes[at + 2] == 8 && bytes[at + 3] < 32) return at;
  }
  return bytes.length;
}

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

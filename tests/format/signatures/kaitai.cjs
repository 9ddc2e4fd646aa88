// Compiles idx_array.ksy and tests it with the vectors that are not in gzip.
//
// Usage: node kaitai.cjs MODULES, the folder `node_modules` with kaitai-struct, kaitai-struct-compiler and js-yaml.

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const modules = path.resolve(process.argv[2]);
const load = (name) => require(path.join(modules, name));
const KaitaiStream = load("kaitai-struct/KaitaiStream");
const compiler = load("kaitai-struct-compiler");
const yaml = load("js-yaml");

const SIZES = { u8: 1, i8: 1, i16: 2, i32: 4, f32: 4, f64: 8 };

// Returns the bytes of an element in little-endian order. JavaScript may change the payload of a NaN.
function littleEndian(type, value) {
  const view = new DataView(new ArrayBuffer(SIZES[type]));
  const set = { u8: "Uint8", i8: "Int8", i16: "Int16", i32: "Int32", f32: "Float32", f64: "Float64" };
  view["set" + set[type]](0, value, true);
  return Buffer.from(view.buffer);
}

function describe(array) {
  const type = Object.keys(SIZES).find((name) => array.elementType === array.constructor.ElementTypes[name.toUpperCase()]);
  const bytes = Buffer.concat(array.elements.map((value) => littleEndian(type, value)));
  return {
    element_type: type,
    sizes: array.sizes,
    elements_sha256: crypto.createHash("sha256").update(bytes).digest("hex"),
  };
}

async function main() {
  const source = yaml.load(fs.readFileSync(path.join(__dirname, "idx_array.ksy"), "utf8"));
  const compiled = await compiler.compile("javascript", source, null, false);
  // It is written among the modules, so that it finds the runtime.
  const generated = path.join(modules, "IdxArray.js");
  fs.writeFileSync(generated, compiled["IdxArray.js"]);
  const { IdxArray } = require(generated);

  const { vectors } = JSON.parse(fs.readFileSync(path.join(__dirname, "../vectors.json"), "utf8"));
  const plain = vectors.filter((vector) => vector.transport === undefined);
  for (const vector of plain) {
    const bytes = Buffer.from(vector.hex, "hex");
    let found;
    try {
      found = describe(new IdxArray(new KaitaiStream(bytes)));
    } catch (error) {
      found = error;
    }
    const accepted = !(found instanceof Error);
    if (accepted !== vector.valid) {
      throw new Error(`${vector.name}: ${accepted ? "accepted" : found}`);
    }
    const hasNan = vector.name.endsWith("-nans");
    if (accepted && hasNan) {
      delete found.elements_sha256;
      delete vector.array.elements_sha256;
    }
    if (accepted && JSON.stringify(found) !== JSON.stringify(vector.array)) {
      throw new Error(`${vector.name}: found ${JSON.stringify(found)}`);
    }
  }
  console.log(`idx_array.ksy: ${plain.length} vectors`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});

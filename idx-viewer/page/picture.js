// The ways to show records, and their pictures.

// The ways to show the records of a file: as pictures, the likeliest first, and as numbers. `step` and `plane` are the
// distances between the pixels of a picture, and between its colors.
function views({ dims: [, a, b, c], dims: { length }, elements }) {
  const gray = (height, width) => ({ name: `${height} x ${width}`, height, width, step: 1, plane: 0 });
  const colorsLast = (height, width, colors) => ({ name: `${height} x ${width} x ${colors}`, height, width, step: colors, plane: 1 });
  const colorsFirst = (height, width) => ({ name: `3 x ${height} x ${width}`, height, width, step: 1, plane: height * width });
  const views = [], edge = Math.sqrt(length == 2 ? a : NaN), colorEdge = Math.sqrt(length == 2 ? a / 3 : NaN);
  if (length == 3) views.push(gray(a, b));
  if (length == 4 && c == 1) views.push(gray(a, b));
  if (length == 4 && (c == 3 || c == 4)) views.push(colorsLast(a, b, c));
  if (length == 4 && a == 3) views.push(colorsFirst(b, c));
  if (length == 4 && a == 1 && c != 1) views.push(gray(b, c));
  if (length == 4 && !views.length) views.push(gray(a * b, c));
  const numbers = { name: "numbers" };
  if (!elements || elements > 2 ** 24) return [numbers];
  // Records of one dimension are numbers, but can be seen as pictures.
  if (length == 2) views.push(numbers);
  if (Number.isInteger(edge) && edge > 3) views.push(gray(edge, edge));
  if (Number.isInteger(colorEdge) && colorEdge > 3) views.push(colorsFirst(colorEdge, colorEdge), colorsLast(colorEdge, colorEdge, 3));
  return length == 2 ? views : [...views, numbers];
}

// A canvas with the picture: bytes as they are, other numbers from the least to the greatest.
async function picture({ height, width, step, plane }, values, isByte, isTransposed, room) {
  let least = isByte ? 0 : Infinity, greatest = isByte ? 255 : -Infinity;
  if (!isByte) {
    for (const value of values) {
      if (value < least && value > -Infinity) least = value;
      if (value > greatest && value < Infinity) greatest = value;
    }
  }
  const canvas = document.createElement("canvas"), scale = 255 / (greatest - least || 1);
  const [columns, lines] = [canvas.width, canvas.height] = isTransposed ? [height, width] : [width, height];
  const [right, down] = isTransposed ? [width * step, step] : [step, width * step];
  canvas.style.width = columns * Math.max(1, Math.floor(room / Math.max(width, height))) + "px";
  const image = new ImageData(columns, lines), { data } = image;
  let began = performance.now();
  for (let y = 0, to = 0; y < lines; y++) {
    for (let x = 0, at = y * down; x < columns; x++, at += right) {
      data[to++] = (values[at] - least) * scale;
      data[to++] = (values[at + plane] - least) * scale;
      data[to++] = (values[at + 2 * plane] - least) * scale;
      data[to++] = step == 4 ? (values[at + 3] - least) * scale : 255;
    }
    if (performance.now() - began < 30) continue;
    // Lets the page respond.
    await new Promise((go) => setTimeout(go));
    began = performance.now();
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

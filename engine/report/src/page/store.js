// The episodes' records: packed in bundles, each unpacked when one of its episodes is first needed.

const BUNDLE = 64;
const packed = dataOf("episodes").split("\n");
const unpacked = new Map();

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return (await new Response(stream).text()).split("\n");
}

/** The lines of a bundle, which are unpacked once. */
function bundle(at) {
  if (!unpacked.has(at)) unpacked.set(at, unpack(packed[at]));
  return unpacked.get(at);
}

/** The record of an episode as a line of JSON. */
const episodeLine = async (row) => (await bundle(Math.floor(row / BUNDLE)))[row % BUNDLE];

/** The lines of all these rows by id; the rows need not be in order. */
async function linesOf(some) {
  const lines = new Map();
  for (const { id } of some) lines.set(id, await episodeLine(id));
  return lines;
}

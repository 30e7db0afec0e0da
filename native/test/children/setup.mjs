// What the child processes share: the addon, and a file of float64 values 0, 1, 2, … as one column.
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { loadNative } from '../../index.js';

export const native = loadNative().binding;

export function writeColumn(path, rowCount) {
  writeFileSync(
    path,
    Float64Array.from({ length: rowCount }, (_, row) => row),
  );
}

export function mapColumn(path) {
  const fd = openSync(path, 'r');
  const mapping = native.mapFile(path, fd);
  closeSync(fd);
  const rowCount = native.mappingByteLength(mapping) / 8;
  const segments = native.createSegments(mapping, Float64Array.of(0, rowCount), Int32Array.of(8), Float64Array.of(0));
  return { mapping, segments, rowCount };
}

/** `count` rows in a scattered, known order. */
export function scatteredRows(count, rowCount) {
  return Int32Array.from({ length: count }, (_, i) => (i * 7919) % rowCount);
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}

// What the killed writers write: a few megabytes, so that arrays reach the file before it is closed; each value tells its item.
export const ITEMS = 40;

export function itemOf(i) {
  return { label: Int32Array.of(i), features: new Float64Array(7000 + (i % 3) * 500).fill(i + 0.5), name: `item ${i} é` };
}

/** Whether items [0, count) of an open file are the ones that were written. */
export function sameItems(file, count) {
  for (let i = 0; i < count; i += 1) {
    const { label, features, name } = file.getItemSync(i);
    const expected = itemOf(i);
    if (label[0] !== i || name !== expected.name || features.length !== expected.features.length || !features.every((value) => value === i + 0.5)) return false;
  }
  return true;
}

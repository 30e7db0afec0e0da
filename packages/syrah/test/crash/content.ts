// What the killed writers write: a few megabytes, so that arrays reach the file before it is closed; each value tells
// its item.
export const ITEMS = 40;

export function itemOf(i: number) {
  return {
    label: Int32Array.of(i),
    features: new Float64Array(7000 + (i % 3) * 500).fill(i + 0.5),
    name: `item ${String(i)} é`,
  };
}

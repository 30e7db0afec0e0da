// The one order of text: by code point, which is the order of its UTF-8 bytes. JavaScript's own `<` compares UTF-16
// code units and puts U+1F600 before U+FF61.

/** Negative, 0 or positive, as sort functions want it. */
export function compareText(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a !== b) return rankOfUnit(a) - rankOfUnit(b);
  }
  return left.length - right.length;
}

/** Where a unit comes among all 65,536: surrogates stand for code points beyond all others of one unit. */
export function rankOfUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}

// What the pieces of a read gave of one column -> what the read gives of it: validity, texts and dictionaries as those
// of one table. Fixed-width items are in their place already.
import type { ColumnData } from '../source.ts';
import { isValid, setValid } from '../validity.ts';
import type { Piece } from './routes.ts';

/** @param data what each piece gave. @param pieces in the order of their rows. */
export function joinData(pieces: readonly Piece[], data: readonly ColumnData[], count: number): ColumnData {
  const [only] = data;
  if (only === undefined) return { kind: 'fixed', validity: null };
  if (data.length === 1) return only;
  const validity = joinValidity(pieces, data, count);
  switch (only.kind) {
    case 'fixed':
      return { kind: 'fixed', validity };
    case 'values':
      return { kind: 'values', values: data.flatMap((each) => (each.kind === 'values' ? each.values : [])), validity };
    case 'dictionary':
      return { ...joinDictionaries(pieces, data, count), validity };
  }
}

/** The same rows in the order of `places`. */
export function arrangeData(data: ColumnData, places: Int32Array): ColumnData {
  const given = data.validity;
  let validity: Uint8Array | null = null;
  if (given !== null) {
    validity = new Uint8Array((places.length + 7) >>> 3);
    for (let row = 0; row < places.length; row += 1) if (isValid(given, places[row] as number)) setValid(validity, row);
  }
  switch (data.kind) {
    case 'fixed':
      return { kind: 'fixed', validity };
    case 'values': {
      const { values } = data;
      return { kind: 'values', values: Array.from(places, (place) => values[place] ?? ''), validity };
    }
    case 'dictionary': {
      const { codes, dictionary } = data;
      return { kind: 'dictionary', codes: places.map((place) => codes[place] as number), dictionary, validity };
    }
  }
}

function joinValidity(pieces: readonly Piece[], data: readonly ColumnData[], count: number): Uint8Array | null {
  if (data.every(({ validity }) => validity === null)) return null;
  const joined = new Uint8Array((count + 7) >>> 3);
  for (const [number, piece] of pieces.entries()) {
    const validity = data[number]?.validity ?? null;
    for (let row = 0; row < piece.count; row += 1) if (isValid(validity, row)) setValid(joined, piece.start + row);
  }
  return joined;
}

function joinDictionaries(
  pieces: readonly Piece[],
  data: readonly ColumnData[],
  count: number,
): { kind: 'dictionary'; codes: Int32Array; dictionary: readonly string[] } {
  const codes = new Int32Array(count);
  const numbers = new Map<string, number>();
  for (const [number, piece] of pieces.entries()) {
    const given = data[number];
    if (given?.kind !== 'dictionary') continue;
    const own = given.dictionary.map((text) => {
      let code = numbers.get(text);
      if (code === undefined) numbers.set(text, (code = numbers.size));
      return code;
    });
    for (let row = 0; row < piece.count; row += 1) codes[piece.start + row] = own[given.codes[row] as number] ?? -1;
  }
  return { kind: 'dictionary', codes, dictionary: [...numbers.keys()] };
}

// Plain steps on lists of ascending row numbers: all rows, those that are not null, those that a byte marks, those that
// another list lacks. `rows` null means rows [0, count); `out` may be `rows`.

export function copyRows(rows: Int32Array | null, count: number, out: Int32Array): number {
  if (rows === out) return count;
  if (rows !== null) out.set(rows.subarray(0, count));
  else for (let row = 0; row < count; row += 1) out[row] = row;
  return count;
}

/** The rows whose bit is `wanted`: 1 keeps what is not null, 0 what is. */
export function selectByValidity(
  validity: Uint8Array,
  wanted: 0 | 1,
  rows: Int32Array | null,
  count: number,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    out[used] = row;
    used += (((validity[row >>> 3] as number) >>> (row & 7)) & 1) ^ wanted ^ 1;
  }
  return used;
}

/** The rows whose byte is `wanted`. */
export function selectByMark(
  marks: Uint8Array,
  wanted: 0 | 1,
  rows: Int32Array | null,
  count: number,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    out[used] = row;
    used += (marks[row] as number) ^ wanted ^ 1;
  }
  return used;
}

/** The rows whose code has a mark `wanted`; codes outside the dictionary are null and have none. */
export function selectByCode(
  codes: Int32Array,
  marks: Uint8Array,
  wanted: 0 | 1,
  rows: Int32Array | null,
  count: number,
  out: Int32Array,
): number {
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const row = rows === null ? index : (rows[index] as number);
    out[used] = row;
    used += Number(marks[codes[row] as number] === wanted);
  }
  return used;
}

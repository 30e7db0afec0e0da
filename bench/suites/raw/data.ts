// The columns of the suite `raw`: one of each kind that predicates and folds meet. Numbers are multiples of a quarter
// and small, so that their sums are the same in any order and in any type.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SuiteContext } from '../../src/checkouts/peer.ts';
import type { Progress } from '../../src/run/progress.ts';
import { uniform } from '../uniform.ts';
import { readWhole } from '../w1-data.ts';

const TEXTS = 300;
export const TEXT_BYTES = 8;
/** What the questions ask for. */
export const WANTED = { below: 500_000_000, above: 90, key: 3, product: 150, text: 'text 077' } as const;

export interface RawColumns {
  readonly f8: Float64Array;
  readonly f4: Float32Array;
  /** Bit patterns of float16. */
  readonly f2: Uint16Array;
  readonly i8: BigInt64Array;
  readonly i4: Int32Array;
  /** Of TEXT_BYTES bytes. */
  readonly text: Uint8Array;
}

export function textOf(number: number): string {
  return `text ${String(number).padStart(3, '0')}`;
}

/** The number that bits of a normal, positive float16 stand for. */
export function numberOf(bits: number): number {
  return (1 + (bits & 0x3ff) / 1024) * 2 ** ((bits >> 10) - 15);
}

export function generateRaw({ rows = 0 }: SuiteContext['parameters'], directory: string, progress: Progress): void {
  const [f8, f4, f2, i8, i4, text] = [1, 2, 3, 4, 5, 6].map((seed) => uniform(seed)) as [
    () => number,
    () => number,
    () => number,
    () => number,
    () => number,
    () => number,
  ];
  const write = (name: keyof RawColumns, column: NodeJS.ArrayBufferView): void => {
    progress.update(`raw: writing ${name}`);
    writeFileSync(join(directory, `${name}.bin`), column);
  };
  write(
    'f8',
    new Float64Array(rows).map(() => Math.floor(f8() * 400) / 4),
  );
  write(
    'f4',
    new Float32Array(rows).map(() => Math.floor(f4() * 8000) / 4 - 1000),
  );
  // Halves from 1 up to 16, in steps that double.
  write(
    'f2',
    new Uint16Array(rows).map(() => 0x3c00 + Math.floor(f2() * 4) * 0x400 + Math.floor(f2() * 4) * 0x100),
  );
  write(
    'i8',
    new BigInt64Array(rows).map(() => BigInt(Math.floor(i8() * 1e9))),
  );
  write(
    'i4',
    new Int32Array(rows).map(() => Math.floor(i4() * 7)),
  );
  const texts = Array.from({ length: TEXTS }, (_, number) => Buffer.from(textOf(number), 'latin1'));
  const items = new Uint8Array(rows * TEXT_BYTES);
  for (let row = 0; row < rows; row += 1) items.set(texts[Math.floor(text() * TEXTS)] ?? [], row * TEXT_BYTES);
  write('text', items);
}

export function readRaw({ directory }: SuiteContext): RawColumns {
  const read = (name: keyof RawColumns): ArrayBuffer => readWhole(join(directory, `${name}.bin`));
  return {
    f8: new Float64Array(read('f8')),
    f4: new Float32Array(read('f4')),
    f2: new Uint16Array(read('f2')),
    i8: new BigInt64Array(read('i8')),
    i4: new Int32Array(read('i4')),
    text: new Uint8Array(read('text')),
  };
}

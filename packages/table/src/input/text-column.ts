// Packed texts (S<n>, U<n>) as a column of texts that holds all of them: of any length, or of more characters.
import { isFixedText, isVariableText } from '@colkit/io';
import type { DTypeInfo } from '@colkit/io';
import { operationOf, perform } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { Chunk } from '../chunk/chunk.ts';
import type { Field } from '../source.ts';
import { decodeFixedStrings, encodeFixedStringsUnchecked } from '../values/fixed-strings.ts';
import type { InputColumn } from './input-columns.ts';

/** Whether each text of the one is one of the other. */
export function holdsTexts(wide: DTypeInfo, narrow: DTypeInfo): boolean {
  if (!isFixedText(narrow)) return false;
  if (!isFixedText(wide)) return isVariableText(wide);
  return wide.length >= narrow.length && (wide.kind === 'unicode' || narrow.kind === 'bytes');
}

export class TextColumn implements InputColumn {
  readonly field: Field;
  readonly info: DTypeInfo;
  readonly rowCount: number;
  readonly #narrow: InputColumn;

  /** @param info that holds the texts of the column. */
  constructor(narrow: InputColumn, info: DTypeInfo) {
    this.field = { ...narrow.field, dtype: info.name };
    this.info = info;
    this.rowCount = narrow.rowCount;
    this.#narrow = narrow;
  }

  read(start: number, end: number): Operation<Chunk> {
    return operationOf(() => this.#read(start, end));
  }

  *#read(start: number, end: number): Work<Chunk> {
    const { info } = this;
    const chunk = yield* perform(this.#narrow.read(start, end));
    if (chunk.kind !== 'fixed') return chunk;
    const { rowCount, validity } = chunk;
    const texts = decodeFixedStrings(chunk.bytes, this.#narrow.info.name);
    if (!isFixedText(info)) return { kind: 'values', rowCount, values: texts, validity };
    const bytes = new Uint8Array(rowCount * info.itemBytes);
    encodeFixedStringsUnchecked(texts, info, 0, rowCount, bytes);
    return { kind: 'fixed', rowCount, bytes, validity };
  }
}

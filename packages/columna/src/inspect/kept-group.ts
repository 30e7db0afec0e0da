// The chunks of one row group, read once: a file whose source has them in memory. Explaining a chunk takes its headers,
// its values and its bytes, and the first rows its pages once more.
import { CannotViewError } from '@colkit/io';
import type { RandomAccessSource } from '@colkit/io';
import { ReadRanges } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { StoredFile } from '../read/file/stored-file.ts';

/** `file` with these columns of a row group, and those whose codes they use, in memory. Their blocks are loaded. */
export function* keepGroup(file: StoredFile, group: number, columns: readonly number[]): Work<StoredFile> {
  const all = new Set(columns);
  for (const column of columns) all.add(file.chunk(column, group).entry.codesColumn);
  const entries = Array.from(all, (column) => file.chunk(column, group).entry).filter(
    ({ byteLength }) => byteLength > 0,
  );
  entries.sort((a, b) => a.byteOffset - b.byteOffset);
  const offsets = Float64Array.from(entries, ({ byteOffset }) => byteOffset);
  const lengths = Float64Array.from(entries, ({ byteLength }) => byteLength);
  const outOffsets = new Float64Array(entries.length);
  let byteLength = 0;
  for (const [i, length] of lengths.entries()) {
    outOffsets[i] = byteLength;
    byteLength += length;
  }
  const out = new Uint8Array(byteLength);
  if (byteLength > 0) yield new ReadRanges(file.source, { offsets, lengths, out, outOffsets });
  // Neighbours as one: a read may take the end of one chunk and the beginning of the next.
  const chunks: Kept[] = [];
  for (const [i, start] of offsets.entries()) {
    const at = outOffsets[i] as number;
    const length = lengths[i] as number;
    const last = chunks.at(-1);
    if (last !== undefined && last.start + last.bytes.length === start)
      chunks[chunks.length - 1] = { start: last.start, bytes: out.subarray(at - last.bytes.length, at + length) };
    else chunks.push({ start, bytes: out.subarray(at, at + length) });
  }
  return file.over(new KeptSource(file.source, chunks));
}

interface Kept {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/** A source that has some of its bytes in memory. Closing it closes the other. */
class KeptSource implements RandomAccessSource {
  readonly isSync: boolean;
  readonly canView = false;
  readonly concurrency: number;
  /** What lies between two ranges may not be at hand. */
  readonly gapBytes = 0;
  readonly path: string;
  readonly byteLength: number;
  readonly #source: RandomAccessSource;
  readonly #kept: readonly Kept[];

  constructor(source: RandomAccessSource, kept: readonly Kept[]) {
    this.isSync = source.isSync;
    this.concurrency = source.concurrency;
    this.path = source.path;
    this.byteLength = source.byteLength;
    this.#source = source;
    this.#kept = kept;
  }

  get closed(): boolean {
    return this.#source.closed;
  }

  async read(byteOffset: number, out: Uint8Array, signal?: AbortSignal): Promise<void> {
    if (this.#give(byteOffset, out)) return;
    await this.#source.read(byteOffset, out, signal);
  }

  readSync(byteOffset: number, out: Uint8Array): void {
    if (!this.#give(byteOffset, out)) this.#source.readSync(byteOffset, out);
  }

  view(): Uint8Array {
    throw new CannotViewError('ERR_NOT_MAPPED', `${this.path}: a copy of a part is here`, 'open the file');
  }

  reopen(): ReturnType<RandomAccessSource['reopen']> {
    return this.#source.reopen();
  }

  close(): void {
    this.#source.close();
  }

  #give(byteOffset: number, out: Uint8Array): boolean {
    for (const { start, bytes } of this.#kept) {
      const at = byteOffset - start;
      if (at < 0 || at + out.length > bytes.length) continue;
      out.set(bytes.subarray(at, at + out.length));
      return true;
    }
    return false;
  }
}

// Files of one schema that are in memory as one file: their row groups one after another, so that all of them are
// looked at by one walk, and the addon is asked about the pages of many by one call. What is wrong is told of the file
// that it is in.
import { HeldSource } from '@colkit/io';
import type { Work } from '@colkit/io/effects';
import type { RowGroup } from '../../layout/footer.ts';
import type { FileLocation } from '../../layout/location.ts';
import { StoredFile } from './stored-file.ts';
import type { Chunk } from './stored-file.ts';

/** A file whose source need not be open, and all of its bytes. */
export interface HeldFile {
  readonly file: StoredFile;
  readonly bytes: Uint8Array;
}

/** Where a file begins among the others. */
interface Member {
  readonly file: StoredFile;
  readonly byteOffset: number;
  readonly firstGroup: number;
}

/** @param files at least one. */
export function joinFiles(files: readonly HeldFile[]): StoredFile {
  return new JoinedFile(files);
}

class JoinedFile extends StoredFile {
  /** The file of each row group. */
  readonly #members: readonly Member[];

  constructor(files: readonly HeldFile[]) {
    const [{ file: first }] = files as [HeldFile];
    const { bytes, byteOffsets } = joinBytes(files.map((each) => each.bytes));
    const rowGroups: RowGroup[] = [];
    const members: Member[] = [];
    let rowCount = 0;
    for (const [number, { file }] of files.entries()) {
      const member = { file, byteOffset: byteOffsets[number] as number, firstGroup: rowGroups.length };
      for (const group of file.rowGroups) {
        const byteOffset = member.byteOffset + group.byteOffset;
        rowGroups.push({ ...group, byteOffset, firstRow: rowCount + group.firstRow });
        members.push(member);
      }
      rowCount += file.footer.rowCount;
    }
    const name = `${first.path} and ${files.length - 1} more`;
    super(new HeldSource(bytes, name), { ...first.footer, rowCount, rowGroups }, first.options);
    this.#members = members;
  }

  override isKnown(column: number): boolean {
    return this.#members.every(({ file }) => file.isKnown(column));
  }

  override *loadBlocks(columns: Iterable<number>): Work<void> {
    const wanted = [...columns];
    for (const { file } of this.#members)
      if (wanted.some((column) => !file.isKnown(column))) yield* file.loadBlocks(wanted);
  }

  override location(region: string, byteOffset: number, column: number, group: number, page?: number): FileLocation {
    const { file, byteOffset: start, firstGroup } = this.#memberOf(group);
    return file.location(region, byteOffset - start, column, group - firstGroup, page);
  }

  protected override parseChunk(column: number, group: number): Chunk {
    const { file, byteOffset, firstGroup } = this.#memberOf(group);
    const { entry, pageOffsets } = file.chunk(column, group - firstGroup);
    return {
      entry: { ...entry, byteOffset: byteOffset + entry.byteOffset },
      pageOffsets: pageOffsets.map((offset) => byteOffset + offset),
    };
  }

  #memberOf(group: number): Member {
    return this.#members[group] as Member;
  }
}

/** Bodies of pages lie at multiples of 8 of their files. */
const ALIGNMENT = 8;

/** Files one after another, and where each of them begins: a copy, unless they lie so already. */
function joinBytes(files: readonly Uint8Array[]): { readonly bytes: Uint8Array; readonly byteOffsets: Float64Array } {
  const byteOffsets = new Float64Array(files.length);
  let end = 0;
  for (const [number, { length }] of files.entries()) {
    byteOffsets[number] = end;
    end += ALIGNMENT * Math.ceil(length / ALIGNMENT);
  }
  const [{ buffer, byteOffset }] = files as [Uint8Array];
  const areJoined = files.every((each, number) => {
    return each.buffer === buffer && each.byteOffset === byteOffset + (byteOffsets[number] as number);
  });
  if (areJoined) {
    const last = files.length - 1;
    const byteLength = (byteOffsets[last] as number) + (files[last] as Uint8Array).length;
    return { bytes: new Uint8Array(buffer, byteOffset, byteLength), byteOffsets };
  }
  const bytes = new Uint8Array(end);
  for (const [number, each] of files.entries()) bytes.set(each, byteOffsets[number]);
  return { bytes, byteOffsets };
}

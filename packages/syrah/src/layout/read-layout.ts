// A .syr file of any form -> one frozen FileLayout. Small metadata is checked to the last offset here; of large local
// metadata only the structure, and the offsets block by block before an item of the block is used.
import { LimitError } from '@colkit/io';
import { begin, operationOf, readBytes, wait } from '@colkit/io/effects';
import type { RangeSource, Work } from '@colkit/io/effects';
import { BlobIndex } from './array-index.ts';
import type { ArrayIndex } from './array-index.ts';
import {
  BSON_LARGEST_DOCUMENT,
  DATA_OFFSET,
  HEADER_BYTES,
  INDEX_BLOCK_ITEMS,
  METADATA_WHOLE_BYTES,
} from './constants.ts';
import { readHeader } from './header.ts';
import type { Header } from './header.ts';
import { MetadataBytes } from './metadata-bytes.ts';
import { readMetadata } from './metadata.ts';
import type { KeyField } from './metadata.ts';
import { readPartMark } from './part-mark.ts';
import type { PartMark } from './part-mark.ts';

/** The wire forms, newest first: what the header and the metadata look like. */
export type WireForm = 'current' | 'item-by-item' | 'item-by-item-magic-last';

export interface FileLayout {
  readonly path: string;
  readonly byteLength: number;
  readonly form: WireForm;
  readonly header: Header;
  /** Of the arrays' region. */
  readonly dataBytes: number;
  readonly itemCount: number;
  readonly fields: readonly KeyField[];
  readonly itemNames: readonly string[] | null;
  readonly index: ArrayIndex;
  /** The same where it is one of blobs: only the current form has them. */
  readonly blobs: BlobIndex | null;
  /** Of a file that is a part of a set, where it was looked for. */
  readonly mark: PartMark | null;
  /** Of a remote file: what another thread need not load; its metadata is in shared memory where there is such. */
  readonly known: KnownLayout | null;
}

/** What was read of a file to know its layout. */
export interface KnownLayout {
  readonly header: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface ReadLayoutOptions {
  /**
   * Whether large metadata may be read piece by piece, later: right for local files; where every read is a request, for
   * whoever asks for few items.
   */
  readonly piecewise: boolean;
  /** Reads the mark of a part while the metadata is read, beside which it lies: remotely both are one request. */
  readonly markBeside?: boolean;
  /** What another thread has read and checked of this version of the file: nothing is read here. */
  readonly known?: KnownLayout | undefined;
}

/** @throws CorruptFileError, UnsupportedError, LimitError: see the files of this folder for the codes. */
export function* readLayout(source: RangeSource, options: ReadLayoutOptions): Work<FileLayout> {
  const { path, byteLength } = source;
  const { known = null, piecewise, markBeside = false } = options;
  const headerBytes = known?.header ?? (yield* readBytes(source, 0, Math.min(HEADER_BYTES, byteLength)));
  const header = readHeader(headerBytes, byteLength, path);
  if (header.metadataLength > BSON_LARGEST_DOCUMENT)
    throw new LimitError('ERR_LIMIT', `${path}: bytes of metadata`, BSON_LARGEST_DOCUMENT, header.metadataLength);
  const isMarkWanted = markBeside && known === null;
  const marking = isMarkWanted ? yield* begin(operationOf(() => readPartMark(source, header))) : null;
  const metadata = new MetadataBytes(source, header.metadataOffset, header.metadataLength, {
    shared: markBeside,
    known: known?.metadata ?? null,
  });
  const whole = !piecewise || header.metadataLength <= METADATA_WHOLE_BYTES;
  if (whole && header.metadataLength > 0) yield* metadata.fillAll();
  const { form, itemCount, fields, itemNames, index } = yield* readMetadata(metadata);
  metadata.release();
  // What another thread has checked is looked at where it is needed.
  if (whole && known === null)
    for (let item = 0; item < itemCount; item += INDEX_BLOCK_ITEMS) yield* index.prepare(item, null);
  const marked = piecewise && !markBeside ? yield* readPartMark(source, header) : null;
  const mark = marking === null ? marked : yield* wait(marking);
  const dataBytes = header.metadataOffset - DATA_OFFSET;
  return Object.freeze({
    path,
    byteLength,
    dataBytes,
    form: wireForm(header, form),
    header,
    itemCount,
    // Shown to users as they are: items are found, and files told from one another, by them.
    fields: Object.freeze(fields.map((field) => Object.freeze(field))),
    itemNames: itemNames && Object.freeze(itemNames),
    index,
    blobs: index instanceof BlobIndex ? index : null,
    mark,
    known: markBeside && metadata.complete ? { header: headerBytes, metadata: metadata.bytes } : null,
  });
}

function wireForm(header: Header, form: 'current' | 'item-by-item'): WireForm {
  if (form === 'current') return 'current';
  return header.form === 'magic-first' ? 'item-by-item' : 'item-by-item-magic-last';
}

// Who parses blocks of CSV and encodes the row groups they make: what all lanes have in common, and this thread.
import { passTurn } from '@colkit/io/effects';
import type { Field } from '@colkit/table';
import { OwnLane } from '@colkit/table/csv';
import type { BlockLanes } from '@colkit/table/csv';
import { joinBlocks } from './csv-rows.ts';
import type { BlockRows } from './csv-rows.ts';
import type { EncodedChunk } from '../encode/encode-chunk.ts';
import { encodeRowGroup } from '../encode/encode-row-group.ts';
import type { FileOptions } from '../file/file-encoder.ts';
import { pageRowsFor } from '../encode/page-rows.ts';

export interface GroupTask {
  readonly fields: readonly Field[];
  readonly blocks: readonly BlockRows[];
  /** For messages. */
  readonly firstRow: number;
  readonly options: FileOptions;
}

export interface EncodedGroup {
  readonly chunks: readonly EncodedChunk[];
  readonly pageRows: number;
}

export interface CsvLanes extends BlockLanes {
  /** How many row groups should be under way at once. */
  readonly groupsAhead: number;
  /** The memory of the blocks may be given away. */
  encode(task: GroupTask): Promise<EncodedGroup>;
  /** What is under way is given up. Idempotent. */
  close(): Promise<void>;
}

export function encodeGroup({ fields, blocks, firstRow, options }: GroupTask): EncodedGroup {
  const joined = fields.map((field, column) => joinBlocks(field, blocks, column, firstRow));
  const columns = joined.map(({ values }) => values);
  const pageRows = pageRowsFor(columns, options.pageRows, fields);
  const chunks = encodeRowGroup(columns, { ...options, pageRows });
  for (const { release } of joined) release();
  return { chunks, pageRows };
}

/** On this thread. */
export class EncodingLane extends OwnLane implements CsvLanes {
  readonly groupsAhead = 1;

  async encode(task: GroupTask): Promise<EncodedGroup> {
    await passTurn();
    return encodeGroup(task);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

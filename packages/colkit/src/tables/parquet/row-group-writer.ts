// Columns of row groups -> the bytes of a Parquet file, through the optional peer hyparquet-writer, handed on row group
// by row group. Of a row group that was written nothing stays in memory but what the footer says of it.
import type { SchemaElement } from 'hyparquet';
import type { ParquetWriter } from 'hyparquet-writer';
import type { peers } from '../../formats/peers.ts';
import { holdsNegativeZero } from './parquet-elements.ts';

export interface ParquetColumnData {
  readonly name: string;
  readonly data: unknown[] | Int32Array | BigInt64Array | Float32Array | Float64Array | Uint8Array;
}

export interface ParquetFileOptions {
  readonly schema: SchemaElement[];
  /** What makes up the rest of the footer. */
  readonly metadata?: Pick<ConstructorParameters<typeof ParquetWriter>[0], 'createdBy' | 'kvMetadata'>;
  readonly put: (bytes: Uint8Array) => Promise<void>;
}

type Peer = Awaited<ReturnType<typeof peers.parquetWriter>>;
type Statistics = NonNullable<NonNullable<ParquetWriter['row_groups'][0]['columns'][0]['meta_data']>['statistics']>;
type Bound = Statistics['min_value'];

/** Of a longer bound this many characters, or bytes, tell all that the writer stores of it: at most 16 bytes. */
const BOUND_LENGTH = 32;
const ENCODER = new TextEncoder();

export class RowGroupWriter {
  readonly #bytes: InstanceType<Peer['ByteWriter']>;
  readonly #parquet: ParquetWriter;
  readonly #put: ParquetFileOptions['put'];

  constructor({ ByteWriter, ParquetWriter }: Peer, { schema, metadata, put }: ParquetFileOptions) {
    this.#bytes = new ByteWriter();
    this.#parquet = new ParquetWriter({ writer: this.#bytes, schema, ...metadata });
    this.#put = put;
  }

  /** One row group of so many rows. */
  async write(columns: readonly ParquetColumnData[], rows: number): Promise<void> {
    await this.#parquet.write({
      // The writer's dictionary takes 0 and -0 for one value.
      columnData: columns.map((column) =>
        holdsNegativeZero(column.data) ? { ...column, encoding: 'PLAIN' } : { ...column },
      ),
      rowGroupSize: Math.max(1, rows),
    });
    for (const { meta_data: metadata } of this.#parquet.row_groups.at(-1)?.columns ?? [])
      if (metadata?.statistics !== undefined) metadata.statistics = ownBounds(metadata.statistics);
    await this.#drain();
  }

  async finish(): Promise<void> {
    await this.#parquet.finish();
    await this.#drain();
  }

  async #drain(): Promise<void> {
    const piece = new Uint8Array(this.#bytes.buffer.slice(0, this.#bytes.index));
    this.#bytes.index = 0;
    await this.#put(piece);
  }
}

/** The same bounds with memory of their own: a text that was cut from those of its page keeps all of them. */
function ownBounds({ min_value: least, max_value: most, ...rest }: Statistics): Statistics {
  return { ...rest, ...bound('min_value', least, true), ...bound('max_value', most, hasUpperBound(most)) };
}

function bound(key: 'min_value' | 'max_value', value: Bound, mayBeCut: boolean): Statistics {
  if (value === undefined) return {};
  const length = mayBeCut ? BOUND_LENGTH : undefined;
  if (typeof value === 'string') return { [key]: ENCODER.encode(value.slice(0, length)) };
  return { [key]: value instanceof Uint8Array ? Uint8Array.from(value.subarray(0, length)) : value };
}

/** Whether a short text, or short bytes, are above the value: else the writer keeps the whole of it. */
function hasUpperBound(value: Bound): boolean {
  return value instanceof Uint8Array
    ? value[0] !== 0xff
    : typeof value === 'string' && value.codePointAt(0) !== 0x10ffff;
}

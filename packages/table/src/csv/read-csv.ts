// readCsv: a CSV file, compressed or not, or a stream -> typed columns for any writer, in bounded memory: one pass finds out types and faults, a second one parses what a writer asks for.
import { openSource } from '@colkit/io';
import type { Openable, RandomAccessSource } from '@colkit/io';
import type { InputColumns } from '../input/input-columns.ts';
import { CsvData } from './csv-columns.ts';
import { parseCsvOptions } from './csv-options.ts';
import type { CsvOptions } from './csv-options.ts';
import { compressionOf, decompressed } from './decompress.ts';
import { scanCsv } from './scan-csv.ts';
import type { CsvScan, RejectedRow } from './scan-csv.ts';
import { spool } from './spool.ts';

/** A file that was looked at once and can be read. `close()` it when the writer is done. */
export class CsvInput implements InputColumns {
  readonly fields: InputColumns['fields'];
  readonly rowCount: number;
  /** What any writer of these packages takes. Read in ascending ranges, it costs one pass; see `CsvOptions.memoryBytes`. */
  readonly columns: InputColumns['columns'];
  /** Rows that were left out (`onError: 'skip'`), the first thousand of them, with line and reason. */
  readonly rejected: readonly RejectedRow[];
  readonly rejectedCount: number;
  readonly #close: () => Promise<void>;

  constructor(input: InputColumns, { rejected, rejectedCount }: CsvScan, close: () => Promise<void>) {
    this.fields = input.fields;
    this.rowCount = input.rowCount;
    this.columns = input.columns;
    this.rejected = rejected;
    this.rejectedCount = rejectedCount;
    this.#close = close;
  }

  /** Lets go of the file, and removes the temporary one, where there is one. Idempotent. */
  async close(): Promise<void> {
    await this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

/**
 * Looks through CSV once: names from the header, the type of each column from all of its values (bool, int64, float64, datetime64[D], datetime64[us] or text; empty cells are null), and
 * where its rows lie. Values are parsed when a writer reads them. gzip and zstd (where the runtime has it) are recognised by their first bytes; they and streams go to memory, or to a
 * temporary file from 64 MiB on.
 * @throws ArgumentError ERR_VALUE naming the line of a row that cannot be taken (unless `onError: 'skip'`), ERR_SCHEMA for names; LimitError for a row of more than 256 MiB; IoError.
 */
export async function readCsv(input: Openable | AsyncIterable<Uint8Array>, options: CsvOptions = {}): Promise<CsvInput> {
  const plan = parseCsvOptions(options);
  const { source, name, close } = await plainSource(input, options.signal);
  try {
    const scan = await scanCsv(source, name, plan);
    return new CsvInput(new CsvData(source, plan, scan).input, scan, close);
  } catch (error) {
    await close();
    throw error;
  }
}

interface Plain {
  readonly source: RandomAccessSource;
  /** What errors call it: of what was decompressed, the compressed file. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

const MAGIC_BYTES = 4;
const STREAM_BYTES = 1 << 20;

async function plainSource(input: Openable | AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Plain> {
  if (isStream(input)) return spooled(input, '<stream>', signal);
  const source = await openSource(input, signal === undefined ? {} : { signal });
  const close = (): Promise<void> => {
    if (source !== input) source.close();
    return Promise.resolve();
  };
  try {
    const magic = new Uint8Array(Math.min(MAGIC_BYTES, source.byteLength));
    await source.read(0, magic, signal);
    if (compressionOf(magic) === null) return { source, name: source.path, close };
    const plain = await spooled(chunksOf(source), source.path, signal);
    await close();
    return plain;
  } catch (error) {
    await close();
    throw error;
  }
}

function isStream(input: Openable | AsyncIterable<Uint8Array>): input is AsyncIterable<Uint8Array> {
  return typeof input === 'object' && Symbol.asyncIterator in input;
}

async function* chunksOf(source: RandomAccessSource): AsyncGenerator<Uint8Array, void, undefined> {
  for (let offset = 0; offset < source.byteLength; offset += STREAM_BYTES) {
    const chunk = new Uint8Array(Math.min(STREAM_BYTES, source.byteLength - offset));
    await source.read(offset, chunk);
    yield chunk;
  }
}

async function spooled(chunks: AsyncIterable<Uint8Array>, name: string, signal: AbortSignal | undefined): Promise<Plain> {
  return { name, ...(await spool(decompressed(chunks, name), signal)) };
}

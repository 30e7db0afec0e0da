// A .cna file or a lazy table -> a CSV file (RFC 4180, UTF-8), batch by batch. The file appears when it is
// whole.
import { checkOptions, openFileSink, option, pickOptions } from '@colkit/io';
import type { Openable, OptionSet } from '@colkit/io';
import { TO_CSV_OPTIONS as DIALECT_OPTIONS, toCsv as tableToCsv } from '@colkit/table/csv';
import type { ToCsvOptions as DialectOptions } from '@colkit/table/csv';
import type { AnyTable } from 'columna';
import { FROM_TABLE_OPTIONS, withTable } from './opened-table.ts';
import type { FromTableOptions } from './opened-table.ts';

/** `separator` (','), `nullWord` (nothing; a text that is the same is quoted), `header` (true). */
export interface ToCsvOptions extends FromTableOptions, Omit<DialectOptions, 'signal'> {
  /** Replace an existing file; without it ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Called after every batch of rows, with the bytes so far. */
  readonly onProgress?: (progress: { readonly bytes: number }) => void;
}

const TO_CSV_OPTIONS: OptionSet<ToCsvOptions> = {
  ...DIALECT_OPTIONS,
  ...FROM_TABLE_OPTIONS,
  overwrite: option.flag,
  onProgress: option.callback(),
};

export interface CsvReport {
  readonly byteLength: number;
  readonly rowCount: number;
}

/**
 * Writes a CSV file with '\n' between lines. Numbers are the shortest text that reads as the same number; moments are
 * ISO 8601; a text that would read as null is quoted.
 * @throws UnsupportedError ERR_DTYPE for binary columns; as `open`; UnknownColumnError; ArgumentError; IoError
 * ERR_EXISTS, ERR_WRITE.
 */
export async function toCsv(
  source: Openable | AnyTable,
  path: string | URL,
  options: ToCsvOptions = {},
): Promise<CsvReport> {
  checkOptions('toCsv', TO_CSV_OPTIONS, options);
  const { overwrite = false, onProgress } = options;
  return withTable(source, options, async (table) => {
    const sink = await openFileSink(path, { overwrite });
    try {
      const rowCount = await tableToCsv(
        table,
        {
          write: async (bytes) => {
            await sink.write(bytes);
            onProgress?.({ bytes: sink.position });
          },
        },
        pickOptions(DIALECT_OPTIONS, options),
      );
      await sink.finish();
      return { byteLength: sink.position, rowCount };
    } catch (error) {
      await sink.abort();
      throw error;
    }
  });
}

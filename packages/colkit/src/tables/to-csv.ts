// A .cna file or a lazy table -> a CSV file (RFC 4180, UTF-8), batch by batch. The file appears when it is
// whole.
import { checkOptions, omitOptions, option, pickOptions } from '@colkit/io';
import type { Openable, OptionSet, WriteTarget } from '@colkit/io';
import { TO_CSV_OPTIONS as ALL_DIALECT_OPTIONS, toCsv as tableToCsv } from '@colkit/table/csv';
import type { ToCsvOptions as DialectOptions } from '@colkit/table/csv';
import type { AnyTable } from 'columna';
import { fillTarget } from './open-target.ts';
import { FROM_TABLE_OPTIONS, withTable } from './opened-table.ts';
import type { FromTableOptions } from './opened-table.ts';

/** `separator` (','), `nullWord` (nothing; a text that is the same is quoted), `header` (true). */
export interface ToCsvOptions extends FromTableOptions, Omit<DialectOptions, 'onRows' | 'signal'> {
  /** Replace an existing file; without it ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Called after every batch of rows, with the bytes so far. */
  readonly onProgress?: (progress: { readonly bytes: number }) => void;
}

const DIALECT_OPTIONS = omitOptions(ALL_DIALECT_OPTIONS, 'onRows', 'signal');

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
 * Writes a CSV file (to a path, a sink, the handle of a file) with '\n' between lines. Numbers are the shortest text
 * that reads as the same number; moments are ISO 8601; a text that would read as null is quoted.
 * @throws UnsupportedError ERR_DTYPE for binary columns; as `open`; UnknownColumnError; ArgumentError; IoError
 * ERR_EXISTS, ERR_WRITE.
 */
export async function toCsv(
  source: Openable | AnyTable,
  target: WriteTarget,
  options: ToCsvOptions = {},
): Promise<CsvReport> {
  checkOptions('toCsv', TO_CSV_OPTIONS, options);
  const { overwrite = false, onProgress } = options;
  return withTable(source, options, (table) =>
    fillTarget(target, overwrite, async (output) => ({
      rowCount: await tableToCsv(
        table,
        {
          write: async (bytes) => {
            await output.write(bytes);
            onProgress?.({ bytes: output.position });
          },
        },
        pickOptions<Omit<DialectOptions, 'onRows' | 'signal'>>(DIALECT_OPTIONS, options),
      ),
    })),
  );
}

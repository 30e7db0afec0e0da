// columna/csv: a .cna file or a lazy table -> a CSV file (RFC 4180, UTF-8), batch by batch. The file appears when it is whole.
import { ArgumentError, openFileSink } from '@colkit/io';
import type { Openable } from '@colkit/io';
import { isValid } from '@colkit/table';
import type { AnyTable } from '../write/batch-input.ts';
import { fieldWriter, quoted } from './csv-text.ts';
import type { CsvValue } from './csv-text.ts';
import { withTable } from './opened-table.ts';
import type { FromTableOptions } from './opened-table.ts';

export interface ToCsvOptions extends FromTableOptions {
  /** Replace an existing file; without it ERR_EXISTS. */
  readonly overwrite?: boolean;
  /** Default ','. */
  readonly delimiter?: string;
  /** Whether the first line has the names; default true. */
  readonly header?: boolean;
  /** What a null is; default nothing. A text that is the same is quoted. */
  readonly nullText?: string;
  readonly onProgress?: (progress: { readonly rows: number }) => void;
}

export interface CsvReport {
  readonly byteLength: number;
  readonly rowCount: number;
}

const BATCH_ROWS = 16_384;

/**
 * Writes a CSV file with '\n' between lines. Numbers are the shortest text that reads as the same number; times are ISO 8601; an empty text is quoted, a null is not.
 * @throws UnsupportedError ERR_DTYPE for binary columns; as `open`; UnknownColumnError; ArgumentError; IoError ERR_EXISTS, ERR_WRITE.
 */
export async function toCsv(source: Openable | AnyTable, path: string | URL, options: ToCsvOptions = {}): Promise<CsvReport> {
  const { delimiter = ',', header = true, nullText = '', onProgress } = options;
  if (typeof delimiter !== 'string' || Array.from(delimiter).length !== 1 || /["\r\n]/.test(delimiter)) throw new ArgumentError('ERR_ARGUMENT', 'options.delimiter', 'one character that is no quote and no line break', JSON.stringify(delimiter));
  if (typeof nullText !== 'string' || /["\r\n]/.test(nullText) || nullText.includes(delimiter)) throw new ArgumentError('ERR_ARGUMENT', 'options.nullText', 'text without quotes, line breaks and delimiters', JSON.stringify(nullText));
  return withTable(source, options, async (table) => {
    const { schema } = table;
    const writers = schema.map(({ name, dtype }) => fieldWriter(name, dtype, { delimiter, nullText }));
    const sink = await openFileSink(path, { overwrite: options.overwrite === true });
    const encoder = new TextEncoder();
    try {
      if (header) await sink.write(encoder.encode(`${schema.map(({ name }) => quoted(name, delimiter, nullText)).join(delimiter)}\n`));
      let rowCount = 0;
      for await (const batch of table.batches({ rows: BATCH_ROWS, nulls: 'bitmap' })) {
        const columns = schema.map(({ name }) => batchColumn((batch as Record<string, BatchValues>)[name] as BatchValues));
        const rows = columns[0]?.values.length ?? 0;
        const lines: string[] = [];
        for (let row = 0; row < rows; row++) {
          const fields = columns.map(({ values, validity }, k) => (validity !== null && !isValid(validity, row) ? nullText : (writers[k] as (value: CsvValue) => string)(values[row] as CsvValue)));
          // A line of nothing is no row.
          lines.push(fields.length === 1 && fields[0] === '' ? '""' : fields.join(delimiter));
        }
        await sink.write(encoder.encode(`${lines.join('\n')}\n`));
        rowCount += rows;
        onProgress?.({ rows: rowCount });
      }
      await sink.finish();
      return { byteLength: sink.position, rowCount };
    } catch (error) {
      await sink.abort();
      throw error;
    }
  });
}

type BatchValues = ArrayLike<CsvValue> | { readonly values: ArrayLike<CsvValue>; readonly validity: Uint8Array };

function batchColumn(column: BatchValues): { readonly values: ArrayLike<CsvValue>; readonly validity: Uint8Array | null } {
  return 'validity' in column ? column : { values: column, validity: null };
}

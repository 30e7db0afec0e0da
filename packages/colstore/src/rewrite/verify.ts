// verify: everything in a file that can be checked: structure, checksums, padding, items that can be wrong, and whether
// the statistics are those of the values. Damage is what it tells, not what it throws.
import {
  CorruptFileError,
  IoError,
  SOURCE_OPTIONS,
  checkOptions,
  isColkitError,
  option,
  pickOptions,
} from '@colkit/io';
import type { ColkitError, OpenSourceOptions, Openable, OptionSet, RandomAccessSource } from '@colkit/io';
import { TURN, contextOf, readBytes, run, runSync } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { openLayout, whileOpen } from '../layout/open-layout.ts';
import type { OpenedLayout } from '../layout/open-layout.ts';
import { readStatistics } from '../layout/read-layout.ts';
import type { FileLayout, WireLayout } from '../layout/read-layout.ts';
import { parseStatistics } from '../layout/statistics-footer.ts';
import type { Statistics } from '../layout/statistics-footer.ts';
import { verifyLayout } from '../layout/verify.ts';
import { FooterBuilder } from '../write/footer-builder.ts';

export interface VerifyOptions extends OpenSourceOptions {
  /** Called after every piece of about 8 MiB. What it throws stops the work. */
  readonly onProgress?: (progress: VerifyProgress) => void;
  /** Ends the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface VerifyProgress {
  readonly readBytes: number;
  readonly totalBytes: number;
}

export const VERIFY_OPTIONS: OptionSet<VerifyOptions> = {
  ...SOURCE_OPTIONS,
  onProgress: option.callback(),
  signal: option.signal,
};

/** What was found. */
export interface Verification {
  readonly ok: boolean;
  /** Null where the file is too damaged to tell. */
  readonly wire: WireLayout | null;
  readonly rowCount: number;
  readonly recordCount: number;
  /** What a dead writer left behind the committed rows. Readers ignore it: no damage. */
  readonly uncommittedBytes: number;
  readonly statistics: 'none' | 'sound' | 'wrong';
  readonly problems: readonly ColkitError[];
}

const PIECE_BYTES = 8 * 1024 * 1024;

/**
 * Reads a whole file and checks what can be checked. Changed numbers are seen only where there are statistics that say
 * otherwise: the format has no checksum over values.
 * @throws IoError for a file that is not there or cannot be read; ArgumentError.
 */
export async function verify(source: Openable, options: VerifyOptions = {}): Promise<Verification> {
  checkOptions('verify', VERIFY_OPTIONS, options);
  return run(verifying(source, options), contextOf(options));
}

export function verifySync(source: Openable, options: VerifyOptions = {}): Verification {
  checkOptions('verifySync', VERIFY_OPTIONS, options);
  return runSync(verifying(source, options), contextOf(options));
}

function* verifying(what: Openable, options: VerifyOptions): Work<Verification> {
  const problems: ColkitError[] = [];
  const opened = yield* told(problems, openLayout(what, pickOptions(SOURCE_OPTIONS, options)));
  if (opened === null)
    return { ok: false, wire: null, rowCount: 0, recordCount: 0, uncommittedBytes: 0, statistics: 'none', problems };
  return yield* whileOpen(what, opened, () => verifyOpened(opened, problems, options));
}

function* verifyOpened(
  { source, layout }: OpenedLayout,
  problems: ColkitError[],
  { onProgress }: VerifyOptions,
): Work<Verification> {
  yield* told(problems, verifyLayout(source, layout));
  const statistics = yield* readStatistics(source, layout);
  const isTrue = yield* verifyValues(source, layout, statistics, (done) =>
    onProgress?.({ readBytes: done, totalBytes: layout.byteLength }),
  );
  if (!isTrue) problems.push(wrongStatistics(layout));
  const found = problems.filter(({ code }) => code !== 'ERR_UNCOMMITTED_TAIL');
  return {
    ok: found.length === 0,
    wire: layout.wire,
    rowCount: layout.rowCount,
    recordCount: layout.bodyOffsets.length,
    uncommittedBytes: statistics === null ? layout.byteLength - layout.endOffset : 0,
    statistics: statistics === null ? 'none' : isTrue ? 'sound' : 'wrong',
    problems: found,
  };
}

/** Null where the work found damage, which is put on the list. */
function* told<T>(problems: ColkitError[], work: Work<T>): Work<T | null> {
  try {
    return yield* work;
  } catch (error) {
    if (!isColkitError(error) || error instanceof IoError) throw error;
    problems.push(error);
    return null;
  }
}

/** Reads all values, so that a disk that cannot is told of; and compares their extremes. */
function* verifyValues(
  source: RandomAccessSource,
  { columns, rowStarts, bodyOffsets }: FileLayout,
  statistics: Statistics | null,
  tell: (readBytes: number) => void,
): Work<boolean> {
  const builder = statistics === null ? null : new FooterBuilder(columns, null);
  for (let record = 0; record < bodyOffsets.length; record += 1) {
    const rows = (rowStarts[record + 1] ?? 0) - (rowStarts[record] ?? 0);
    let at = bodyOffsets[record] ?? 0;
    for (const [number, { dtype }] of columns.entries()) {
      const atOnce = Math.max(1, Math.floor(PIECE_BYTES / dtype.itemBytes)) * dtype.itemBytes;
      const end = at + rows * dtype.itemBytes;
      while (at < end) {
        yield TURN;
        const items = yield* readBytes(source, at, Math.min(atOnce, end - at));
        builder?.add(number, items);
        at += items.length;
        tell(at);
      }
    }
    builder?.endRecord(record);
  }
  const footer = builder?.format(bodyOffsets.length) ?? null;
  return statistics === null || footer === null || agree(statistics, footer, columns, bodyOffsets.length);
}

/** Whether nothing is said of a record that is not so; to say nothing is always right. */
function agree(said: Statistics, footer: Uint8Array, columns: FileLayout['columns'], recordCount: number): boolean {
  const found = parseStatistics(footer, columns, recordCount) ?? [];
  return said.every((records, column) =>
    records.every((claim, record) => {
      if (claim === null) return true;
      const truth = found[column]?.[record] ?? null;
      return truth !== null && claim.min === truth.min && claim.max === truth.max;
    }),
  );
}

function wrongStatistics({ path, statisticsOffset: byteOffset }: FileLayout): CorruptFileError {
  return new CorruptFileError('ERR_METADATA', {
    path,
    region: 'statistics footer',
    byteOffset,
    expected: 'the smallest and largest values of each record',
    found: 'others: values or statistics were changed',
  });
}

// recover: what a dead writer or a damaged disk left -> a whole file, with every row that can be had. Behind the
// committed rows is nothing to keep; where committed ones are damaged, what stands before them is kept.
import { CorruptFileError, IoError, checkOptions, filePath, option, optionsNow } from '@colkit/io';
import type { OptionSet, RandomAccessSource } from '@colkit/io';
import { filesOf, reserve } from '@colkit/io/durable';
import type { Ending, Reservation } from '@colkit/io/durable';
import { openedSource, perform, run, runSync, withSource } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { COUNTERS_32, COUNTERS_64, COUNTERS_OFFSET } from '../layout/constants.ts';
import type { CountersForm } from '../layout/constants.ts';
import { formatCounters, readCounters } from '../layout/counters.ts';
import { detectForm } from '../layout/detect.ts';
import { FileBytes } from '../layout/file-bytes.ts';
import { readManifest } from '../layout/flat.ts';
import { readLayout } from '../layout/read-layout.ts';
import { wholeRecords } from '../layout/records.ts';
import { COMPACTING } from '../streams/open-writer.ts';
import { endOfFile } from './rewrite-file.ts';

export interface RecoverOptions {
  /** Replace a whole file that is at the path by the records that a dead writer had for its place. */
  readonly overwrite?: boolean;
  /** Go on though a writer seems to be alive. */
  readonly force?: boolean;
}

export const RECOVER_OPTIONS: OptionSet<RecoverOptions> = { overwrite: option.flag, force: option.flag };

/** What was found and done. */
export interface Recovery {
  /** 'whole': the file is complete, nothing was done. 'recovered': it is complete now. 'nothing': no row can be had. */
  readonly status: 'whole' | 'recovered' | 'nothing';
  readonly rowCount: number;
  /** Bytes that were cut. */
  readonly lostBytes: number;
  /** One sentence. */
  readonly reason: string;
}

/**
 * Makes a whole file of what is there. Of a file: uncommitted bytes at its end are cut; where committed records are
 * damaged or missing, those before them are kept and the rest is cut (copy the file first where you want to look at
 * it). Where a dead writer had not given its file its name yet (PATH.partial): every record that it had written whole,
 * though it had not committed them; after a loss of power their values may be others, which nothing can tell. Safe to
 * repeat.
 * @throws IoError ERR_NOT_FOUND, ERR_LOCKED (the writer is alive), ERR_EXISTS (a whole file and a dead writer's are
 * there); CorruptFileError for another kind of file, or one whose columns cannot be told.
 */
export async function recover(path: string | URL, options: RecoverOptions = {}): Promise<Recovery> {
  checkOptions('recover', RECOVER_OPTIONS, options);
  return run(recovering(path, optionsNow(options)));
}

export function recoverSync(path: string | URL, options: RecoverOptions = {}): Recovery {
  checkOptions('recoverSync', RECOVER_OPTIONS, options);
  return runSync(recovering(path, options));
}

function* recovering(path: string | URL, { overwrite = false, force, ...options }: RecoverOptions): Work<Recovery> {
  const operations = filesOf(options);
  const reserved = yield* perform(reserve(path, { to: 'recover', durable: true, operations, force, flock: true }));
  try {
    yield* perform(reserved.remove(COMPACTING));
    const hasPartial = (yield* perform(reserved.inspect('.partial'))) !== null;
    if (hasPartial) return yield* fromPartial(filePath(path), reserved, overwrite);
    if (!reserved.exists)
      throw new IoError('ERR_NOT_FOUND', 'recover', filePath(path), 'no such file, and no streaming writer left one');
    return yield* repair(reserved, '');
  } finally {
    yield* perform(reserved.release());
  }
}

function* fromPartial(path: string, reserved: Reservation, overwrite: boolean): Work<Recovery> {
  if (yield* perform(reserved.isPublished())) {
    // The writer died between giving the file its name and taking the other one away.
    yield* perform(reserved.remove('.partial'));
    return yield* repair(reserved, '');
  }
  const found = yield* withSource(
    reserved.beside('.partial'),
    openedSource(reserved.beside('.partial'), { io: 'pread' }),
    'close',
    lookAtPartial,
  );
  // Without links a name is taken by an empty file first.
  const isThere = ((yield* perform(reserved.inspect('')))?.byteLength ?? 0) > 0;
  if (found.recordCount === 0) {
    yield* perform(reserved.remove('.partial'));
    if (isThere) return yield* repair(reserved, '');
    return nothing(found.byteLength, 'the writer died before its first record was whole');
  }
  if (isThere && !overwrite)
    throw new IoError(
      'ERR_EXISTS',
      'recover',
      path,
      `a file is there already; pass { overwrite: true } to replace it by the ${String(found.rowCount)} rows of ` +
        reserved.beside('.partial'),
    );
  const recovery = yield* write(reserved, '.partial', found);
  yield* perform(reserved.publish(overwrite || reserved.exists));
  return { ...recovery, status: 'recovered', reason: 'every record that the dead writer had written whole' };
}

/** In place. */
function* repair(reserved: Reservation, ending: Ending): Work<Recovery> {
  const found = yield* withSource(
    reserved.beside(ending),
    openedSource(reserved.beside(ending), { io: 'pread' }),
    'close',
    lookAt,
  );
  if (found.isSound && found.end === found.byteLength)
    return { status: 'whole', rowCount: found.rowCount, lostBytes: 0, reason: 'the file is complete' };
  if (!found.isSound && found.recordCount === 0)
    return nothing(found.byteLength, 'no record in it is whole; the file is as it was');
  const recovery = yield* write(reserved, ending, found);
  const reason = found.isSound
    ? 'all committed rows; what a dead writer left behind them was cut'
    : 'the records before the first damaged one';
  return { ...recovery, status: 'recovered', reason };
}

interface Found {
  readonly form: CountersForm;
  readonly recordCount: number;
  readonly rowCount: number;
  /** Behind what is to be kept. */
  readonly end: number;
  readonly byteLength: number;
  /** Whether the counters say just this. */
  readonly isSound: boolean;
}

/** Of which even the header may be missing. */
function* lookAtPartial(source: RandomAccessSource): Work<Found> {
  try {
    return yield* lookAt(source);
  } catch (error) {
    if (!(error instanceof CorruptFileError) || error.code !== 'ERR_TRUNCATED') throw error;
    const { byteLength } = source;
    return { form: COUNTERS_64, recordCount: 0, rowCount: 0, end: 0, byteLength, isSound: false };
  }
}

function* lookAt(source: RandomAccessSource): Work<Found> {
  try {
    const layout = yield* readLayout(source);
    const recordCount = layout.bodyOffsets.length;
    // Counters of a new file that its writer never came to write.
    if (recordCount > 0 || layout.endOffset === source.byteLength) {
      const end = yield* endOfFile({ source, layout });
      const form = layout.wire === 'records-32' ? COUNTERS_32 : COUNTERS_64;
      return { form, recordCount, rowCount: layout.rowCount, end, byteLength: source.byteLength, isSound: true };
    }
  } catch (error) {
    if (!(error instanceof CorruptFileError)) throw error;
  }
  return yield* lookAtRecords(source);
}

/** Record by record, as far as they are whole; counters that can be trusted are not gone beyond. */
function* lookAtRecords(source: RandomAccessSource): Work<Found> {
  const file = new FileBytes(source);
  const form = yield* detectForm(file);
  // A flat file lacks whole columns where its end is missing.
  if (form === 'flat') yield* readLayout(source);
  const counters = form === 'flat' ? COUNTERS_64 : form;
  const { manifest, dataOffset } = yield* readManifest(file, COUNTERS_OFFSET + counters.blockBytes, 'records');
  const committed = yield* committedRecords(file, counters);
  const rowBytes = manifest.columns.reduce((sum, { dtype }) => sum + dtype.itemBytes, 0);
  const records = yield* wholeRecords(file, dataOffset, rowBytes, committed);
  return { form: counters, ...records, byteLength: source.byteLength, isSound: false };
}

function* committedRecords(file: FileBytes, form: CountersForm): Work<number> {
  try {
    const { recordCount } = yield* readCounters(file, form);
    return recordCount === 0 ? Infinity : recordCount;
  } catch (error) {
    if (error instanceof CorruptFileError) return Infinity;
    throw error;
  }
}

function* write(reserved: Reservation, ending: Ending, found: Found): Work<Omit<Recovery, 'status' | 'reason'>> {
  const { form, recordCount, rowCount, end, byteLength, isSound } = found;
  const file = yield* perform(reserved.open(ending));
  try {
    // Counters first: they count only what is before the cut, and a file that is too long is no damage.
    if (!isSound) {
      yield* perform(
        file.writeAt(COUNTERS_OFFSET, formatCounters({ recordCount, rowCount, statisticsOffset: 0 }, form)),
      );
      yield* perform(file.barrier());
    }
    yield* perform(file.cut(end));
    yield* perform(file.barrier());
  } finally {
    yield* perform(file.close());
  }
  return { rowCount, lostBytes: byteLength - end };
}

function nothing(lostBytes: number, reason: string): Recovery {
  return { status: 'nothing', rowCount: 0, lostBytes, reason };
}

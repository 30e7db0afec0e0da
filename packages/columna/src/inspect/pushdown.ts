// A predicate as text and the footer of a file -> which row groups and pages a scan would skip, and why. The same
// parser, proofs and pruning as scan(), so the same numbers; no page is read.
import { DEFAULT_READ_LIMITS, readFooter } from '../read/file/read-footer.ts';
import { newRecord } from '../read/filter/prune-record.ts';
import { candidateSpans } from '../read/filter/prune.ts';
import { StoredFile } from '../read/file/stored-file.ts';
import { ArgumentError, isColkitError } from '@colkit/io';
import { runSync } from '@colkit/io/effects';
import { bindPredicate } from '@colkit/table';
import type { BoundPredicate, Field } from '@colkit/table';
import { FooterSource } from '../read/file/footer-source.ts';

/** What `pushdownFooter` makes of a file; JSON keeps it. */
export interface PushdownFooter {
  readonly path: string;
  readonly footerOffset: number;
  /** Base64 of a footer with its trailer; perhaps of fewer columns than the file has. */
  readonly footer: string;
  /** Columns of the file that the footer leaves out. */
  readonly omittedColumns: number;
}

export interface Skipped {
  readonly group: number;
  /** Null: the whole row group. */
  readonly page: number | null;
  readonly reason: string;
}

export interface GroupOutcome {
  readonly group: number;
  readonly rowCount: number;
  readonly pageCount: number;
  /** Why all of it is skipped; null where it is not. */
  readonly skipped: string | null;
  readonly skippedPages: readonly Skipped[];
  /** Rows that have to be looked at. */
  readonly rowsLeft: number;
}

/** As in the stats of a scan. */
export interface PushdownStats {
  readonly scanned: number;
  readonly groups: number;
  readonly groupsSkipped: number;
  readonly pagesSkipped: number;
}

export type PushdownOutcome =
  | {
      readonly kind: 'outcome';
      readonly stats: PushdownStats;
      readonly columns: readonly string[];
      readonly groups: readonly GroupOutcome[];
    }
  | {
      readonly kind: 'error';
      readonly message: string;
      /** Of the character in the text, where it is known. */
      readonly position: number | null;
    };

/** What predicates would skip in a file, told without the file. Runs in browsers. */
export class Pushdown {
  readonly fields: readonly Field[];
  readonly #file: StoredFile;
  readonly #omitted: number;

  /** @throws CorruptFileError where the footer is not what it was; ArgumentError for what is no base64. */
  constructor({ path, footerOffset, footer, omittedColumns }: PushdownFooter) {
    const source = new FooterSource(path, fromBase64(footer), footerOffset);
    const parsed = runSync(readFooter(source, DEFAULT_READ_LIMITS, 0));
    this.#file = new StoredFile(source, parsed, { limits: DEFAULT_READ_LIMITS, verifyCrc: true });
    this.fields = this.#file.columns.map(({ name, type, nullable }) => ({ name, dtype: type.dtype, nullable }));
    this.#omitted = omittedColumns;
  }

  /** An empty text is no predicate: nothing is skipped. Never throws for what somebody types. */
  evaluate(text: string): PushdownOutcome {
    const file = this.#file;
    let predicate: BoundPredicate | null = null;
    try {
      if (text.trim() !== '') predicate = bindPredicate(text, this.fields);
    } catch (error) {
      return this.#refused(error);
    }
    runSync(file.loadBlocks(predicate?.columns ?? []));
    const record = newRecord();
    const rowsLeft = new Map<number, number>();
    for (const span of candidateSpans(file, predicate, { start: 0, end: file.footer.rowCount }, record))
      rowsLeft.set(span.group, (rowsLeft.get(span.group) ?? 0) + span.end - span.start);
    const reasons = new Map<number, Skipped[]>();
    for (const reason of record.reasons) {
      const ofGroup = reasons.get(reason.group) ?? [];
      ofGroup.push(reason);
      reasons.set(reason.group, ofGroup);
    }
    const groups = file.rowGroups.map(({ rowCount, pageRows }, group): GroupOutcome => {
      const list = reasons.get(group) ?? [];
      const whole = list.find(({ page }) => page === null);
      return {
        group,
        rowCount,
        pageCount: Math.ceil(rowCount / pageRows),
        skipped: whole?.reason ?? null,
        skippedPages: list.filter(({ page }) => page !== null),
        rowsLeft: rowsLeft.get(group) ?? 0,
      };
    });
    const { scanned, groups: looked, groupsSkipped, pagesSkipped } = record;
    return {
      kind: 'outcome',
      stats: { scanned, groups: looked, groupsSkipped, pagesSkipped },
      columns: (predicate?.refs ?? []).map(({ name }) => name),
      groups,
    };
  }

  #refused(error: unknown): PushdownOutcome {
    if (!isColkitError(error)) throw error;
    const position = 'position' in error && typeof error.position === 'number' ? error.position : null;
    const omitted =
      this.#omitted > 0
        ? ` (the statistics at hand are of the first ${this.fields.length} columns; ${this.#omitted} others are ` +
          'left out)'
        : '';
    return { kind: 'error', message: `${error.message}${omitted}`, position };
  }
}

function fromBase64(text: string): Uint8Array {
  let decoded: string;
  try {
    decoded = atob(text);
  } catch {
    throw new ArgumentError('ERR_ARGUMENT', 'footer', 'base64', 'other characters');
  }
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}

// A file as a manifest told of it: it is read when its rows are needed, with others where all of them are small.
import { ArgumentError } from '@colkit/io';
import { perform, smallFiles } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import { CompositeTable } from '../composite/composite-table.ts';
import { uniteFields } from '../composite/unite-fields.ts';
import type { Field } from '../field.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import type { TableSource } from '../source.ts';
import { partOf } from './head-part.ts';
import type { ManifestPart } from './manifest.ts';
import { mergeStatistics } from './merge-statistics.ts';
import type { PartFormat, PartGroup, PartHead, PartOptions, PartPlace } from './part-format.ts';
import { requireVersion } from './part-version.ts';

export class KnownHead implements PartHead {
  readonly rowCount: number;
  readonly fields: readonly Field[];
  readonly version: ManifestPart['version'];
  readonly knowsPlans = true;
  readonly #place: PartPlace;
  readonly #format: PartFormat;
  readonly #part: ManifestPart;
  readonly #options: PartOptions;
  /** What the file itself says, once it was opened. */
  #own: PartHead | null = null;
  #statistics: (ColumnStatistics | null | undefined)[] = [];

  constructor(
    place: PartPlace,
    format: PartFormat,
    part: ManifestPart,
    fields: readonly Field[],
    options: PartOptions,
  ) {
    this.rowCount = part.rowCount;
    this.fields = fields;
    this.version = part.version;
    this.#place = place;
    this.#format = format;
    this.#part = part;
    this.#options = options;
  }

  statisticsOf(column: number): ColumnStatistics | null {
    let known = this.#statistics[column];
    if (known === undefined) {
      known = mergeStatistics(this.#part.groups.map(({ statistics }) => statistics[column] ?? null));
      this.#statistics[column] = known;
    }
    return known;
  }

  // eslint-disable-next-line require-yield -- the manifest has it
  *groups(columns: readonly number[]): Work<readonly PartGroup[]> {
    return this.#part.groups.map(({ rowCount, byteLengths, statistics }) => ({
      rowCount,
      byteLengths: columns.map((column) => byteLengths[column] ?? 0),
      statistics: columns.map((column) => statistics[column] ?? null),
    }));
  }

  *open(): Work<TableSource> {
    const own = this.#own ?? this.#keep(yield* this.#format.read(this.#place, this.#options));
    return yield* own.open();
  }

  fits(other: PartHead): boolean {
    if (!(other instanceof KnownHead) || this.fields !== other.fields || this.#format !== other.#format) return false;
    return this.#mayBeHeld() && other.#mayBeHeld();
  }

  *openWith(others: readonly PartHead[]): Work<TableSource> {
    const all = [this, ...others.filter((other) => other instanceof KnownHead)];
    yield* KnownHead.#readTogether(all.filter((head) => head.#own === null));
    const [first, ...rest] = all.map((head) => head.#own as PartHead) as [PartHead, ...PartHead[]];
    const joined = rest.every((head) => first.fits?.(head)) ? first.openWith?.(rest) : undefined;
    if (joined !== undefined) return yield* joined;
    // There was no room for all of them, or they are alike in what the manifest knows alone.
    const parts = all.map((head) => partOf({ place: head.#place, head: head.#own as PartHead, constants: [] }));
    return new CompositeTable(this.#place.name, parts, uniteFields(parts, 'strict'));
  }

  /** What files of one format say of themselves, by one call where that can be. */
  static *#readTogether(heads: readonly KnownHead[]): Work<void> {
    const [first] = heads;
    if (first === undefined) return;
    const { wholeBytes = 0 } = first.#format;
    const paths = heads.map((head) => head.#place.path ?? '');
    const files = yield* perform(smallFiles(paths, wholeBytes, first.#options.backend));
    let options = first.#options;
    for (const [index, head] of heads.entries()) {
      const bytes = files[index] ?? null;
      const parsed = bytes === null ? null : (head.#format.parse?.(head.#place, bytes, options) ?? null);
      const own = head.#keep(parsed ?? (yield* head.#format.read(head.#place, options)));
      options = { ...options, like: own };
    }
  }

  #mayBeHeld(): boolean {
    if (this.#own !== null) return this.#own.fits?.(this.#own) === true;
    const most = Math.min(this.#format.wholeBytes ?? 0, this.#options.held?.bytesLeft ?? 0);
    return (this.#place.path ?? '') !== '' && this.version.byteLength <= most;
  }

  #keep(own: PartHead): PartHead {
    requireVersion(this.#place.name, this.version, own.version);
    requireFields(this.#place.name, this.fields, this.rowCount, own);
    return (this.#own = own);
  }
}

/** A file of another schema would be read wrongly. @throws ArgumentError ERR_SCHEMA. */
export function requireFields(name: string, fields: readonly Field[], rowCount: number, head: PartHead): void {
  const isSame =
    head.rowCount === rowCount &&
    head.fields.length === fields.length &&
    fields.every(
      (field, index) =>
        field.name === head.fields[index]?.name &&
        field.dtype === head.fields[index].dtype &&
        field.nullable === head.fields[index].nullable,
    );
  if (isSame) return;
  throw new ArgumentError(
    'ERR_SCHEMA',
    name,
    `${String(rowCount)} rows of ${fields.map((field) => `${field.name} ${field.dtype}`).join(', ')}`,
    `${String(head.rowCount)} rows of ${head.fields.map((field) => `${field.name} ${field.dtype}`).join(', ')}`,
  );
}

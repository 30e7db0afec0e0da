// Values of the column that is grouped by -> numbers of groups, in the order in which the values are first met.
// Dictionary codes are looked up once per entry, not once per row.
import { LimitError } from '@colkit/io';
import type { ColumnType } from '../../layout/column-type.ts';
import type { Place } from '../../layout/place.ts';
import type { ByteStrings } from '../../columns/vector.ts';
import type { ColumnPage } from '../pages/column-page.ts';
import { pageValues } from './page-values.ts';
import { isPresent } from '../pages/rank.ts';
import { RowGroups } from './row-groups.ts';
import type { Session } from '../file/session.ts';
import type { Span } from '../file/spans.ts';
import { decodeTexts } from '../pages/texts.ts';

type Key = number | bigint | string | null;

const MOST_GROUPS = 65_536;
const ROWS_PER_CODE = 16;

export class GroupKeys {
  readonly #type: ColumnType;
  readonly #session: Session;
  readonly #groups = new Map<Key, number>();
  /** As they come in the result; binary keys are looked up as texts. */
  readonly #values: (Key | boolean | Uint8Array)[] = [];
  #entries: ByteStrings | null = null;
  /** For every entry of the last dictionary its group, -1 where it was not met. */
  #ofEntries = new Int32Array(0);
  #unmet = 0;
  #texts: readonly string[] = [];

  constructor(type: ColumnType, session: Session) {
    this.#type = type;
    this.#session = session;
  }

  get count(): number {
    return this.#values.length;
  }

  get values(): readonly (Key | boolean | Uint8Array)[] {
    return this.#values;
  }

  /** The groups of the wanted rows: scratch memory. @throws LimitError. */
  groupsOf(page: ColumnPage, span: Span): RowGroups {
    if (this.#type.name === 'string' && page.validity === null && page.valueCount > 0 && span.picks === null) {
      const strings = page.strings(span.start, span.end);
      if (strings.kind === 'coded') return this.#codedGroups(strings.entries, strings.codes, page);
    }
    const { items, texts, validity, count } = pageValues(page, span, this.#session);
    const groups = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      if (validity !== null && !isPresent(validity, i)) groups[i] = this.#groupOf(null, null);
      else if (items !== null)
        groups[i] = this.#groupOf(
          items[i] as number | bigint,
          this.#type.name === 'bool' ? items[i] !== 0 : (items[i] as number | bigint),
        );
      else {
        const text = texts?.[i] ?? '';
        groups[i] = this.#groupOf(typeof text === 'string' ? text : bytesKey(text), text);
      }
    }
    return new RowGroups(groups, this.count, null, this.#session.scratch);
  }

  /**
   * The groups of the codes that occur on a page, by code. Not to be written to.
   * @param keys for each entry the first row that has it, and how many rows have.
   */
  groupsOfCodes(entries: ByteStrings, keys: Uint32Array, place: Place): Int32Array {
    const known = this.#known(entries, place);
    if (this.#unmet > 0) {
      const met = Array.from(known.keys()).filter((code) => known[code] === -1 && (keys[2 * code + 1] as number) > 0);
      for (const code of met.sort((a, b) => (keys[2 * a] as number) - (keys[2 * b] as number))) this.#meet(code);
    }
    return known;
  }

  #codedGroups(entries: ByteStrings, codes: Uint32Array, page: ColumnPage): RowGroups {
    const known = this.#known(entries, page.place);
    // Only until every entry was met does a row have to be asked whether its group is new.
    for (let i = 0; this.#unmet > 0 && i < codes.length; i++)
      if (known[codes[i] as number] === -1) this.#meet(codes[i] as number);
    const rows = new RowGroups(codes, entries.count, known, this.#session.scratch);
    // Sums by code are worth it while there are far fewer codes than rows.
    return entries.count * ROWS_PER_CODE <= codes.length
      ? rows
      : new RowGroups(rows.groups, this.count, null, this.#session.scratch);
  }

  #known(entries: ByteStrings, place: Place): Int32Array {
    if (this.#entries !== entries) {
      this.#texts = decodeTexts(entries, place);
      this.#ofEntries = new Int32Array(entries.count).fill(-1);
      this.#unmet = entries.count;
      this.#entries = entries;
    }
    return this.#ofEntries;
  }

  #meet(code: number): void {
    const text = this.#texts[code] as string;
    this.#ofEntries[code] = this.#groupOf(text, text);
    this.#unmet--;
  }

  #groupOf(key: Key, value: Key | boolean | Uint8Array): number {
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = this.#values.length;
      if (group === MOST_GROUPS) throw new LimitError('ERR_LIMIT', 'groups', MOST_GROUPS, MOST_GROUPS + 1);
      this.#values.push(value);
      this.#groups.set(key, group);
    }
    return group;
  }
}

function bytesKey(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

// Values of the column that is grouped by -> numbers of groups, in the order in which the values are first met. Dictionary codes are looked up once per entry, not once per row.
import { LimitError } from '@colkit/io';
import type { ColumnType } from '../layout/column-type.ts';
import type { ByteStrings } from '../columns/vector.ts';
import type { ColumnPage } from './column-page.ts';
import { pageValues } from './page-values.ts';
import { isPresent } from './rank.ts';
import type { Session } from './session.ts';
import type { Span } from './spans.ts';
import { decodeTexts } from './texts.ts';

type Key = number | bigint | string | null;

const MOST_GROUPS = 65_536;

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
  /** Whether codes are groups, as far as they were met. */
  #isSame = true;
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

  /** For every wanted row its group: scratch memory. @throws LimitError. */
  groupsOf(page: ColumnPage, span: Span): Uint32Array {
    if (this.#type.name === 'string' && page.validity === null && page.valueCount > 0 && span.picks === null) {
      const strings = page.strings(span.start, span.end);
      if (strings.kind === 'coded') return this.#codedGroups(strings.entries, strings.codes, page);
    }
    const { items, texts, validity, count } = pageValues(page, span, this.#session);
    const groups = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      if (validity !== null && !isPresent(validity, i)) groups[i] = this.#groupOf(null, null);
      else if (items !== null) groups[i] = this.#groupOf(items[i] as number | bigint, this.#type.name === 'bool' ? items[i] !== 0 : (items[i] as number | bigint));
      else {
        const text = texts?.[i] ?? '';
        groups[i] = this.#groupOf(typeof text === 'string' ? text : bytesKey(text), text);
      }
    }
    return groups;
  }

  #codedGroups(entries: ByteStrings, codes: Uint32Array, page: ColumnPage): Uint32Array {
    if (this.#entries !== entries) {
      this.#texts = decodeTexts(entries, page.place);
      this.#ofEntries = new Int32Array(entries.count).fill(-1);
      this.#unmet = entries.count;
      this.#isSame = true;
      this.#entries = entries;
    }
    const known = this.#ofEntries;
    // Only until every entry was met does a row have to be asked whether its group is new.
    for (let i = 0; this.#unmet > 0 && i < codes.length; i++) {
      const code = codes[i] as number;
      if (known[code] !== -1) continue;
      known[code] = this.#groupOf(this.#texts[code] as string, this.#texts[code] as string);
      this.#unmet--;
      if (known[code] !== code) this.#isSame = false;
    }
    if (this.#isSame) return codes;
    const groups = this.#session.scratch.uint32(codes.length);
    for (let i = 0; i < groups.length; i++) groups[i] = known[codes[i] as number] as number;
    return groups;
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

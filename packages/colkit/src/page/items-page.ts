// A .syr file -> its page: where its arrays lie, how long those of each key are, and the first items.
import type { SyrahFile, SyrahValue } from 'syrah';
import { renderDocument } from './document.ts';
import { glossary } from './glossary.ts';
import { bytesText, count, counted, escapeHtml } from './markup.ts';
import { rowsTable } from './rows-table.ts';
import { stretchesOf } from './stretches.ts';
import { summaryOf } from './values/summary.ts';
import type { ColumnSummary } from './values/summary.ts';
import { valuesSection } from './values/values-section.ts';

/** Lengths that are looked at, evenly over the file. */
const MOST_LENGTHS = 100_000;
const MOST_KEYS = 60;
const MOST_ITEMS = 10;
/** Arrays that are longer are not read for the first items. */
const LONGEST_READ = 100_000;
const SHOWN_VALUES = 8;
const SHOWN_CHARACTERS = 60;
/** In the form of today: magic, version and where the metadata lies. */
const HEADER_BYTES = 22;

/** @param name what the page calls the file. @param script the bundle of ./browser. */
export async function itemsPage(file: SyrahFile, name: string, script: string): Promise<string> {
  const { itemCount, keys, schema } = file;
  const shown = schema.slice(0, MOST_KEYS);
  const first = Array.from({ length: Math.min(MOST_ITEMS, itemCount) }, (_, item) => item);
  const items = first.map((item) => [file.itemNames?.[item] ?? String(item)]);
  const summaries: ColumnSummary[] = [];
  for (const { name: key, dtype } of shown) {
    const lengths = file.lengths(key);
    summaries.push(summaryOfLengths(lengths, key, dtype ?? 'dtypes that differ'));
    const isReadable = dtype !== 'float128';
    for (const item of first)
      items[item]?.push(await cellOf(file, item, key, isReadable ? (lengths[item] ?? NaN) : Infinity));
  }
  const looked = Math.ceil(itemCount / Math.max(1, Math.ceil(itemCount / MOST_LENGTHS)));
  const left = keys.length - shown.length;
  const more = left > 0 ? `<p class="note">${count(left)} more keys.</p>` : '';
  return renderDocument(
    {
      name,
      facts: factsOf(file),
      sections: [
        { id: 'layout', title: 'Layout', body: layoutOf(file) + glossary(['item', 'key']) },
        {
          id: 'lengths',
          title: 'Lengths',
          body:
            '<p>How many values (of text: bytes) the arrays of each key have.</p>' +
            valuesSection(summaries, looked, itemCount, keys.length, {
              one: 'item',
              column: 'Key',
              missing: 'Missing',
            }),
        },
        {
          id: 'first-items',
          title: 'First items',
          body:
            items.length === 0
              ? '<p>The file has no items.</p>'
              : rowsTable('First items', ['item', ...shown.map((key) => key.name)], [true], items) + more,
        },
      ],
      embedded: {},
    },
    script,
  );
}

function factsOf({ itemCount, keys, byteLength, form, version, part, itemNames }: SyrahFile): string[] {
  return [
    counted(itemCount, 'item'),
    counted(keys.length, 'key'),
    `<b>${bytesText(byteLength)}</b> (${count(byteLength)} bytes)`,
    `version ${version}, form ${escapeHtml(form)}`,
    ...(itemNames === null ? [] : ['items have names']),
    ...(part === null ? [] : [`part ${count(part.number + 1)} of a set`]),
  ];
}

function layoutOf({ byteLength, dataBytes, itemCount }: SyrahFile): string {
  const head = Math.min(HEADER_BYTES, byteLength - dataBytes);
  return stretchesOf('Every byte of the file, to scale', [
    { what: 'header', byteLength: head, look: 'footer' },
    { what: `arrays of ${count(itemCount)} items`, byteLength: dataBytes, look: 'group' },
    { what: 'metadata: where each array lies', byteLength: byteLength - dataBytes - head, look: 'footer' },
  ]);
}

/** Of the arrays of a key; items without it count as nulls. */
function summaryOfLengths(all: Float64Array, key: string, dtype: string): ColumnSummary {
  const step = Math.max(1, Math.ceil(all.length / MOST_LENGTHS));
  const looked = all.filter((_, item) => item % step === 0);
  const lengths = looked.filter((length) => !Number.isNaN(length));
  const column = { name: key, dtype: 'float64', nullable: false, values: lengths, validity: null } as const;
  return { ...summaryOf(column, dtype), nulls: looked.length - lengths.length };
}

/** @param length of its array; NaN where the item has none. */
async function cellOf(file: SyrahFile, item: number, key: string, length: number): Promise<string> {
  if (Number.isNaN(length)) return 'null';
  return length > LONGEST_READ ? 'not shown' : shownValues(await file.getArray(item, key));
}

function shownValues(value: SyrahValue): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value);
  const values = Array.from(value as ArrayLike<unknown>, String).slice(0, SHOWN_VALUES);
  const more = value.length > SHOWN_VALUES ? `, … ${count(value.length)} in all` : '';
  return `[${values.join(', ')}${more}]`;
}

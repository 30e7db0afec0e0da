// Text of any length -> the width that a format with items of one width needs: S where all of it is ASCII, else U, as
// wide as the longest value.
import { isVariableText, parseDType } from '@colkit/io';
import type { DType } from '@colkit/io';
import type { Table } from '@colkit/table';

/** The dtypes of the text columns of any length, by name. One pass over these columns. */
export async function fixedTextTypes(table: Table): Promise<ReadonlyMap<string, DType>> {
  const names = table.schema.filter(({ dtype }) => isVariableText(parseDType(dtype))).map(({ name }) => name);
  const widths = new Map(names.map((name) => [name, { points: 1, isAscii: true }]));
  if (names.length > 0)
    for await (const batch of table.select(names).batches({ strings: 'dictionary' }))
      for (const [name, width] of widths) {
        const { dictionary } = batch[name] as { readonly dictionary: readonly string[] };
        for (const text of dictionary) {
          width.isAscii &&= isAscii(text);
          if (text.length > width.points) width.points = Math.max(width.points, pointsOf(text));
        }
      }
  return new Map([...widths].map(([name, { points, isAscii: ascii }]) => [name, `${ascii ? 'S' : 'U'}${points}`]));
}

/** The same for tables that become files of one folder. */
export async function fixedTextTypesOfAll(tables: readonly Table[]): Promise<ReadonlyMap<string, DType>> {
  const types = new Map<string, DType>();
  for (const table of tables)
    for (const [name, dtype] of await fixedTextTypes(table)) {
      const both = [types.get(name) ?? dtype, dtype];
      const width = both.reduce((most, each) => Math.max(most, Number(each.slice(1))), 1);
      types.set(name, `${both.some((each) => each.startsWith('U')) ? 'U' : 'S'}${String(width)}` as DType);
    }
  return types;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

function pointsOf(text: string): number {
  let points = text.length;
  for (let at = 0; at < text.length; at += 1)
    if ((text.codePointAt(at) as number) > 0xffff) [points, at] = [points - 1, at + 1];
  return points;
}

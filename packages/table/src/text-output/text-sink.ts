// What writers of text take and give: which table, and where its bytes go.
import { ArgumentError, describeValue } from '@colkit/io';
import type { Table } from '../output/table.ts';

/** Where the bytes go: a file sink of `@colkit/io`, or anything with such a `write`. */
export interface TextSink {
  write(bytes: Uint8Array): Promise<unknown>;
}

/** Whatever the compiler knows of its columns. */
export type AnyView = Pick<Table, 'view'>;

/**
 * For callers without types. A stream of Node's tells by no promise when bytes are written, or that they cannot be: all
 * of the text would wait in memory, and of a full disk nobody would hear.
 * @throws ArgumentError.
 */
export function checkTextOutput(table: AnyView, sink: TextSink): void {
  const [from, to]: readonly unknown[] = [table, sink];
  if (!hasMember(from, 'view'))
    throw new ArgumentError('ERR_ARGUMENT', 'table', 'a table or a view', describeValue(from));
  const found = describeValue(to);
  if (hasMember(to, 'pipe') && 'write' in to)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'sink',
      'a sink whose write gives a promise (of a stream of Node: Writable.toWeb(stream).getWriter())',
      found,
    );
  if (hasMember(to, 'getWriter'))
    throw new ArgumentError('ERR_ARGUMENT', 'sink', 'a sink (of a stream: stream.getWriter())', found);
  if (!hasMember(to, 'write') || typeof to['write'] !== 'function')
    throw new ArgumentError('ERR_ARGUMENT', 'sink', 'a sink, as await openFileSink(path) gives one', found);
}

function hasMember<Name extends string>(value: unknown, name: Name): value is Readonly<Record<Name, unknown>> {
  return typeof value === 'object' && value !== null && name in value;
}

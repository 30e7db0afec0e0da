// What one program asks for: tables that it opened, streams that it reads. A request -> a reply, and a body.
import { ArgumentError, LimitError, isColkitError, visibleText } from '@colkit/io';
import type { Table } from '@colkit/table';
import { cstoreParts } from 'colstore';
import { openTask } from 'columna';
import type { Dataset, Split } from 'columna';
import { arrowPieces } from '../tables/to-arrow.ts';
import { ArrowStream } from './arrow-stream.ts';
import type { Head } from './frame.ts';
import { applySteps } from './request.ts';
import type { From, Query, Request, Step } from './request.ts';
import { openServed, pinOf } from './served-table.ts';
import type { ServedTable } from './served-table.ts';

/** Tables, and streams, that one program has at a time. */
const MOST_OPEN = 4096;

export interface Reply {
  readonly result: Head;
  readonly body?: readonly Uint8Array[];
}

export class Session {
  readonly #tables = new Map<number, ServedTable>();
  readonly #streams = new Map<number, ArrowStream>();
  #last = 0;

  /** @throws what the request causes; the session goes on. */
  async answer(request: Request): Promise<Reply> {
    switch (request.method) {
      case 'open':
        return this.#open(request);
      case 'schema':
        return this.#with(request, async (view) => {
          const body: Uint8Array[] = [];
          for await (const { pieces } of arrowPieces(view.slice(0, 0), 'stream'))
            for (const each of pieces) body.push(each);
          return { result: {}, body };
        });
      case 'count':
        return this.#with(request, async (view) => ({ result: { count: await view.count() } }));
      case 'explain':
        return this.#with(request, async (view) => ({ result: { text: await view.explain() } }));
      case 'splits':
        return this.#splits(request);
      case 'read':
        return this.#read(request);
      case 'next':
        return this.#next(request.stream);
      case 'pin': {
        const { table, isStaged, pin } = this.#table(request.table);
        return { result: { pin: pin ?? (await pinOf(table, isStaged)) } };
      }
      case 'cancel': {
        const stream = this.#streams.get(request.stream);
        this.#streams.delete(request.stream);
        await stream?.cancel();
        return { result: {} };
      }
      case 'close': {
        const served = this.#tables.get(request.table);
        this.#tables.delete(request.table);
        served?.close();
        return { result: {} };
      }
    }
  }

  /** Gives up all streams and closes all tables. */
  async close(): Promise<void> {
    const streams = [...this.#streams.values()];
    const tables = [...this.#tables.values()];
    this.#streams.clear();
    this.#tables.clear();
    await Promise.all(streams.map((stream) => stream.cancel()));
    for (const served of tables) served.close();
  }

  async #open(request: Extract<Request, { readonly method: 'open' }>): Promise<Reply> {
    requireRoom(this.#tables.size, 'open tables');
    const served = await openServed(request);
    const { table, pin, isStaged } = served;
    const number = this.#number();
    this.#tables.set(number, served);
    const fields = table.schema.map(({ name, dtype, nullable }) => ({ name, dtype, nullable }));
    const files = table.files.length;
    const { rowCount, version } = table;
    return { result: { table: number, fields, rowCount, files, version, pin, splits: !isStaged } };
  }

  async #splits({ from, steps, targetBytes }: Query & { readonly targetBytes: number | undefined }): Promise<Reply> {
    if (!('table' in from)) throw new ArgumentError('ERR_ARGUMENT', 'from', 'a table', 'a split');
    const { table, isStaged } = this.#table(from.table);
    if (isStaged)
      throw new ArgumentError(
        'ERR_ARGUMENT',
        'splits',
        'a file of a table (colkit convert makes a .cna file of a .syr file)',
        'items',
      );
    const splits = await splitsOf(table, steps, targetBytes);
    // All have the columns of the dataset: they are told once.
    return { result: { fields: table.schema, splits: splits.map((split) => ({ ...split, fields: undefined })) } };
  }

  async #read({ from, steps, rows }: Query & { readonly rows: number | undefined }): Promise<Reply> {
    requireRoom(this.#streams.size, 'open streams');
    const { table, close } = await this.#source(from);
    try {
      const stream = new ArrowStream(applySteps(table, steps), rows, close);
      const number = this.#number();
      this.#streams.set(number, stream);
      return { result: { stream: number } };
    } catch (error) {
      close();
      throw error;
    }
  }

  async #next(number: number): Promise<Reply> {
    const stream = this.#streams.get(number);
    if (stream === undefined) throw new ArgumentError('ERR_ARGUMENT', 'stream', 'an open stream', String(number));
    try {
      const { rowCount, isEnd, pieces } = await stream.next();
      if (isEnd) this.#streams.delete(number);
      return { result: { rows: rowCount, done: isEnd }, body: pieces };
    } catch (error) {
      this.#streams.delete(number);
      throw error;
    }
  }

  async #with({ from, steps }: Query, use: (view: Table) => Promise<Reply>): Promise<Reply> {
    const { table, close } = await this.#source(from);
    try {
      return await use(applySteps(table, steps));
    } finally {
      close();
    }
  }

  async #source(from: From): Promise<{ readonly table: Table; readonly close: () => void }> {
    if ('table' in from) return { table: this.#table(from.table).table, close: () => undefined };
    const table = await openTask({ split: from.split }, { formats: [cstoreParts] });
    return { table, close: () => table.close() };
  }

  #table(number: number): ServedTable {
    const served = this.#tables.get(number);
    if (served === undefined) throw new ArgumentError('ERR_ARGUMENT', 'table', 'an open table', String(number));
    return served;
  }

  #number(): number {
    this.#last += 1;
    return this.#last;
  }
}

function requireRoom(open: number, what: string): void {
  if (open >= MOST_OPEN) throw new LimitError('ERR_LIMIT', what, MOST_OPEN, open + 1);
}

/** Row groups that no row of the view comes from are in none. @throws ArgumentError for what is cut by row numbers. */
async function splitsOf(
  table: Dataset,
  steps: readonly Step[],
  targetBytes: number | undefined,
): Promise<readonly Split[]> {
  const texts: string[] = [];
  const params = new Map<string, unknown>();
  for (const step of steps) {
    if (step.kind === 'slice')
      throw new ArgumentError('ERR_ARGUMENT', 'splits', 'a table that is not sliced', 'a slice');
    // Leaving a condition out leaves row groups in: one whose names mean something else by now.
    if (step.kind !== 'where' || [...step.params.keys()].some((name) => params.has(name))) continue;
    texts.push(`(${step.text})`);
    for (const [name, value] of step.params) params.set(name, value);
  }
  return table.splits({
    columns: applySteps(table, steps).columnNames,
    ...(texts.length === 0 ? {} : { where: texts.join(' and '), params }),
    ...(targetBytes === undefined ? {} : { targetBytes }),
  });
}

/** What a failure is for the other program: the class, the code and the message of ours. */
export function describeError(error: unknown): Head {
  if (isColkitError(error)) return { kind: error.name, code: error.code, message: visibleText(error.message) };
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { readonly code?: unknown };
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'Error', code: typeof code === 'string' ? code : 'ERR_INTERNAL', message: visibleText(message) };
}

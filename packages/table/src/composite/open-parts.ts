// Which parts are open: opened when they are needed, kept while there is room, closed when others were used later. Who
// works with a part holds it until then. Two that need a part at the same time open it once.
import { ClosedError } from '@colkit/io';
import { perform, run, runSync } from '@colkit/io/effects';
import type { Operation, Work } from '@colkit/io/effects';
import type { TableSource } from '../source.ts';
import type { Part } from './part.ts';

/** Parts that stay open where nobody works with them. */
export const MOST_OPEN = 64;

interface Entry {
  table: TableSource | null;
  opening: Promise<TableSource> | null;
  users: number;
}

export class OpenParts {
  readonly #parts: readonly Part[];
  readonly #adapt: (table: TableSource, number: number) => TableSource;
  readonly #most: number;
  /** By number, the one that was used last at the end. */
  readonly #entries = new Map<number, Entry>();
  /** Several parts that were opened as one, each for as long as a work uses it. */
  readonly #joined = new Set<TableSource>();
  #openCount = 0;
  #closed = false;

  /** @param adapt gives an opened part the columns of the whole table. */
  constructor(parts: readonly Part[], adapt: (table: TableSource, number: number) => TableSource, most = MOST_OPEN) {
    this.#parts = parts;
    this.#adapt = adapt;
    this.#most = most;
  }

  /** How many are open. */
  get openCount(): number {
    return this.#openCount;
  }

  /** The part where it is open; it must be used before anything is awaited. */
  peek(number: number): TableSource | null {
    return this.#entries.get(number)?.table ?? null;
  }

  /** Opens a part for as long as a work uses it. @throws ClosedError; what opening throws. */
  *use<T>(number: number, use: (table: TableSource) => Work<T>): Work<T> {
    const table = yield* perform(this.#opened(number));
    try {
      return yield* use(table);
    } finally {
      this.#release(number);
    }
  }

  /** Parts that fit (`Part.fits`) as one table, their rows one after another. @throws as `use`. */
  *useJoined<T>(numbers: readonly number[], use: (table: TableSource) => Work<T>): Work<T> {
    const [first = 0, ...others] = numbers;
    if (others.length === 0) return yield* this.use(first, use);
    const part = this.#parts[first] as Part & Required<Pick<Part, 'openWith'>>;
    this.#requireOpen(part);
    const opened = yield* part.openWith(others.map((number) => this.#parts[number] as Part));
    this.#joined.add(opened);
    try {
      this.#requireOpen(part);
      return yield* use(this.#adapt(opened, first));
    } finally {
      this.#joined.delete(opened);
      opened.close();
    }
  }

  /** The same on the calling thread, for what is no work. */
  useSync<T>(number: number, use: (table: TableSource) => T): T {
    const table = this.#openedSync(number);
    try {
      return use(table);
    } finally {
      this.#release(number);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const entry of this.#entries.values()) entry.table?.close();
    for (const table of this.#joined) table.close();
    this.#entries.clear();
    this.#openCount = 0;
  }

  /** Gives the part, which counts as used from then on. */
  #opened(number: number): Operation<TableSource> {
    return { run: () => this.#openedLater(number), runSync: () => this.#openedSync(number) };
  }

  async #openedLater(number: number): Promise<TableSource> {
    const entry = this.#used(number);
    if (entry.table !== null) return entry.table;
    // Whoever aborts does not abort the others that wait for it.
    entry.opening ??= run((this.#parts[number] as Part).open());
    try {
      return this.#keep(entry, number, await entry.opening);
    } catch (error) {
      entry.opening = null;
      this.#release(number);
      throw error;
    }
  }

  #openedSync(number: number): TableSource {
    const entry = this.#used(number);
    if (entry.table !== null) return entry.table;
    try {
      return this.#keep(entry, number, runSync((this.#parts[number] as Part).open()));
    } catch (error) {
      this.#release(number);
      throw error;
    }
  }

  #requireOpen({ name }: Part): void {
    if (this.#closed) throw new ClosedError('read', name);
  }

  #used(number: number): Entry {
    this.#requireOpen(this.#parts[number] as Part);
    const entry = this.#entries.get(number) ?? { table: null, opening: null, users: 0 };
    this.#entries.delete(number);
    this.#entries.set(number, entry);
    entry.users += 1;
    return entry;
  }

  #keep(entry: Entry, number: number, opened: TableSource): TableSource {
    entry.opening = null;
    if (this.#closed) {
      opened.close();
      throw new ClosedError('read', (this.#parts[number] as Part).name);
    }
    if (entry.table === null) {
      entry.table = this.#adapt(opened, number);
      this.#openCount += 1;
      this.#closeOthers();
    } else if (!isOver(entry.table, opened)) opened.close();
    return entry.table;
  }

  #release(number: number): void {
    const entry = this.#entries.get(number);
    if (entry === undefined) return;
    entry.users -= 1;
    if (entry.users === 0 && entry.table === null && entry.opening === null) this.#entries.delete(number);
    else if (entry.users === 0) this.#closeOthers();
  }

  #closeOthers(): void {
    for (const [number, { table, users }] of this.#entries) {
      if (this.#openCount <= this.#most) return;
      if (users > 0 || table === null) continue;
      this.#entries.delete(number);
      this.#openCount -= 1;
      table.close();
    }
  }
}

/** Whether a table is the opened one, or shows it: several waited for the same opening. */
function isOver(table: TableSource, opened: TableSource): boolean {
  return table === opened || ('inner' in table && table.inner === opened);
}

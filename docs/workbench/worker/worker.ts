// The worker of the workbench: it opens the file, and answers one question after the other.
import { writeTable } from 'colkit/convert';
import { isColkitError } from '@colkit/io';
import type { Table } from '@colkit/table';
import type { Argument, CallName, Converted, FromWorker, Progress, Result, ToWorker } from '../protocol.ts';
import { itemsOf } from './items.ts';
import { OpenedFile } from './opened-file.ts';
import { scratchFile } from './scratch.ts';
import { grouped, matching, rowsOf } from './questions.ts';
import { summarize } from './summaries.ts';
import { warm } from './warm.ts';

interface Asking {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

type Answers = { readonly [N in CallName]: (argument: Argument<N>, asking: Asking) => Promise<Result<N>> };

let opened: OpenedFile | null = null;
/** The rows that match the last predicate; null: all of them. */
let found: Table | null = null;

const ANSWERS: Answers = {
  async open(choice, { signal, onProgress }) {
    const start = performance.now();
    // Where it cannot be opened, the one before stays.
    const next = await OpenedFile.open(choice, signal, onProgress);
    if (signal.aborted) {
      next.close();
      signal.throwIfAborted();
    }
    closeFile();
    opened = next;
    const { bytesRead, requests } = opened.meter;
    return { ...opened.facts, bytesRead, requests, milliseconds: performance.now() - start };
  },
  close() {
    closeFile();
    return Promise.resolve(null);
  },
  rows(question) {
    const isAll = !question.matching || found === null;
    return rowsOf(tableOf(question.matching), question, isAll);
  },
  summary(column, { signal }) {
    return file().meter.measure(() => summarize(tableOf(true), column, signal));
  },
  filter(where, { signal }) {
    return file().meter.measure(async () => {
      const { found: rows, answer } = await matching(tableOf(false), where, signal);
      signal.throwIfAborted();
      found = where.trim() === '' ? null : rows;
      return answer;
    });
  },
  group(question, { signal }) {
    return file().meter.measure(() => grouped(tableOf(true), question, signal));
  },
  layout(_nothing, { signal, onProgress }) {
    return file().layout(signal, onProgress);
  },
  items({ start, end }, { signal }) {
    const { content } = file();
    if (content.kind !== 'items') throw new TypeError('a table has no items');
    return itemsOf(content.file, start, end, signal);
  },
  async convert({ to, matching: isMatching }, { signal, onProgress }): Promise<Converted> {
    const start = performance.now();
    const options = {
      signal,
      overwrite: true,
      onProgress: ({ rows, totalRows }: { rows: number; totalRows: number }) =>
        onProgress({ done: rows, total: totalRows, unit: 'rows' }),
    };
    const target = await scratchFile(`converted.${to}`);
    let blob: Blob;
    if (target === null) {
      blob = await writeTable(tableOf(isMatching), to, undefined, options);
    } else {
      await writeTable(tableOf(isMatching), to, target, options);
      blob = await target.getFile();
    }
    return { blob, milliseconds: performance.now() - start };
  },
  async warm() {
    await warm();
    return null;
  },
};

function file(): OpenedFile {
  if (opened === null) throw new TypeError('no file is open');
  return opened;
}

function tableOf(isMatching: boolean): Table {
  const { content } = file();
  if (content.kind !== 'table') throw new TypeError('items are no table');
  return isMatching && found !== null ? found : content.table;
}

function closeFile(): void {
  opened?.close();
  opened = null;
  found = null;
}

const running = new Map<number, AbortController>();
/** The last question; each waits for the one before, so that what it costs is its own. */
let last: Promise<void> = Promise.resolve();

function send(message: FromWorker): void {
  self.postMessage(message);
}

async function answer(id: number, name: CallName, argument: unknown, signal: AbortSignal): Promise<void> {
  try {
    signal.throwIfAborted();
    const asking = { signal, onProgress: (progress: Progress) => send({ kind: 'progress', id, progress }) };
    // What the page sends is what the type of the call says.
    const result = await (ANSWERS[name] as (argument: unknown, asking: Asking) => Promise<unknown>)(argument, asking);
    send({ kind: 'result', id, result });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ kind: 'error', id, message, code: isColkitError(error) ? error.code : null });
  } finally {
    running.delete(id);
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'cancel') {
    running.get(data.id)?.abort();
    return;
  }
  const { id, name, argument } = data;
  const controller = new AbortController();
  running.set(id, controller);
  last = last.then(() => answer(id, name, argument, controller.signal));
});

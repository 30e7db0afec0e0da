// The file that the page looks at: a table of any form, or items.
import { identify, openTable } from 'colkit/convert';
import type { OpenedTable } from 'colkit/convert';
import { inspectHtml } from 'colkit/inspect';
import { open as openItems } from 'syrah';
import type { SyrahFile } from 'syrah';
import type { Table } from '@colkit/table';
import type { FileChoice, OpenedFacts, Progress } from '../protocol.ts';
import { Meter } from './metered.ts';
import { scratchFile } from './scratch.ts';

export interface OpenedItems {
  readonly kind: 'items';
  readonly file: SyrahFile;
}

export interface OpenedRows {
  readonly kind: 'table';
  readonly opened: OpenedTable;
  readonly table: Table;
}

const NAMES: Readonly<Record<string, string>> = {
  cna: '.cna',
  cstore: '.cstore',
  parquet: 'Parquet',
  csv: 'CSV',
  tsv: 'TSV',
  json: 'JSON',
  jsonl: 'JSON lines',
  arrow: 'Arrow',
};

export class OpenedFile {
  readonly meter: Meter;
  readonly content: OpenedItems | OpenedRows;
  readonly facts: OpenedFacts;
  readonly #choice: FileChoice;

  private constructor(meter: Meter, choice: FileChoice, content: OpenedItems | OpenedRows, facts: OpenedFacts) {
    this.meter = meter;
    this.content = content;
    this.facts = facts;
    this.#choice = choice;
  }

  /** @throws what the packages throw: errors that say what was expected, and what to do. */
  static async open(
    choice: FileChoice,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<OpenedFile> {
    const meter = new Meter();
    const what = sourceOf(choice, meter);
    const options = choice.kind === 'url' ? { fetch: meter.fetch } : {};
    const name = choice.kind === 'url' ? choice.name : choice.file.name;
    const format = await identify(what, { ...options, name });
    if (format === 'syr') {
      const file = await openItems(what, options);
      const keys = file.schema.map(({ name: key, dtype }) => ({ key, dtype: dtype ?? 'none' }));
      const { itemCount, byteLength } = file;
      const facts = { kind: 'items', name, format: '.syr', byteLength, itemCount, keys } as const;
      return new OpenedFile(meter, choice, { kind: 'items', file }, facts);
    }
    const isImported = format !== 'cna' && format !== 'cstore';
    const scratch = isImported ? await scratchFile('imported.cna') : null;
    const opened = await openTable(what, {
      ...options,
      ...(scratch === null ? {} : { scratch }),
      // To be looked at; a list that is refused shows nothing.
      nested: 'text',
      format,
      signal,
      onProgress: ({ bytes, totalBytes }) => onProgress({ done: bytes, total: totalBytes, unit: 'bytes' }),
    });
    const { byteLength, imported, notes } = opened;
    const rows = await measured(opened, name, meter);
    const { table } = rows;
    return new OpenedFile(
      meter,
      choice,
      { kind: 'table', opened: rows, table },
      {
        kind: 'table',
        name,
        format: NAMES[format] ?? format,
        byteLength,
        rowCount: table.rowCount,
        columns: table.schema.map(({ name: column, dtype, nullable }) => ({ name: column, dtype, nullable })),
        importedBytes: imported === null ? null : imported.byteLength,
        notes: notes.map(({ column, note }) => `${column}: ${note}`),
      },
    );
  }

  /** The inspector's page. @throws the signal's reason, between two row groups. */
  layout(signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<string> {
    const { content, facts, meter } = this;
    const source = content.kind === 'items' ? sourceOf(this.#choice, meter) : content.opened.source;
    return inspectHtml(source, {
      name: facts.name,
      onProgress: ({ rowGroups, totalRowGroups }) => {
        signal.throwIfAborted();
        onProgress({ done: rowGroups, total: totalRowGroups, unit: 'row groups' });
      },
    });
  }

  close(): void {
    if (this.content.kind === 'items') this.content.file.close();
    else this.content.opened.close();
  }
}

/** What an import made, opened once more so that the bytes which questions read of it are counted too. */
async function measured(opened: OpenedTable, name: string, meter: Meter): Promise<OpenedTable> {
  const { source } = opened;
  if (opened.imported === null || !(source instanceof Blob)) return opened;
  opened.close();
  const again = await openTable(meter.sourceOf(source, name), { format: 'cna' });
  return { ...again, source };
}

function sourceOf(choice: FileChoice, meter: Meter): URL | ReturnType<Meter['sourceOf']> {
  return choice.kind === 'url' ? new URL(choice.url) : meter.sourceOf(choice.file, choice.file.name);
}

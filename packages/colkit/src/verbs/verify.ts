// verify: every byte of files looked at that means something. Exit code 1 where one is damaged.
import { CorruptFileError, IoError, isColkitError } from '@colkit/io';
import type { ColkitError } from '@colkit/io';
import { verify as verifyColstore } from 'colstore';
import type { VerifyProgress } from 'colstore';
import { verify as verifyColumna } from 'columna';
import type { SyrahFile } from 'syrah';
import { identify } from '../formats/identify.ts';
import type { FileFormat } from '../formats/identify.ts';
import { namedFiles } from '../formats/named-files.ts';
import { opened } from '../formats/opened.ts';
import { isFlags, isText, itemBytesOf } from '../items/dtypes.ts';
import { itemEntries, itemsInTurn } from '../items/read-items.ts';
import { count, counted } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { AS_JSON } from '../terminal/verb.ts';
import type { JsonOption, Verb } from '../terminal/verb.ts';
import { describePart } from './info.ts';

interface Report {
  readonly ok: boolean;
  /** What was looked at. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The same for people. */
  readonly told: string;
  readonly problems: readonly Pick<ColkitError, 'code' | 'message'>[];
  /** That the file is whole, and those that belong to it are not all there. */
  readonly isIncomplete?: boolean;
}

const UNSEEN = 'changed numbers cannot be seen, the format has no checksums';

export const verify: Verb<JsonOption> = {
  name: 'verify',
  summary: 'read everything and check it against what checksums and statistics there are; exit code 1 where damaged',
  arguments: ['<FILE...>'],
  options: [AS_JSON],
  examples: ['colkit verify *.cna', 'colkit verify train.syr --json', 'colkit verify folder-of-cstore-files'],
  async run(paths, { json }, terminal) {
    const reports: object[] = [];
    let exitCode = 0;
    const files = await namedFiles(paths);
    for (const path of files) {
      terminal.progress(`verifying ${path}`);
      const found = await report(path, terminal).catch((error: unknown) => {
        // Of several files the others are looked at all the same.
        if (files.length > 1 && error instanceof IoError) return error;
        throw error;
      });
      terminal.progress(null);
      if (found instanceof IoError) {
        exitCode = 1;
        const { code, message } = found;
        if (json === true) reports.push({ path, ok: false, problems: [{ code, message }] });
        else terminal.print(`${path}: not read`);
        if (json !== true) terminal.print(`  ${message} (${code})`);
        continue;
      }
      const { ok, facts, told, problems, isIncomplete } = found;
      if (!ok) exitCode = 1;
      const listed = problems.map(({ code, message }) => ({ code, message }));
      if (json === true) reports.push({ path, ok, ...facts, problems: listed });
      else {
        const damage = isForeign(path, problems)
          ? 'no file of these formats'
          : `damaged, ${counted(problems.length, 'problem')}`;
        const verdict = isIncomplete === true ? `incomplete, ${told}` : damage;
        terminal.print(`${path}: ${ok ? `whole, ${told}` : verdict}`);
        for (const { code, message } of listed) terminal.print(`  ${message} (${code})`);
      }
    }
    if (json === true) terminal.json(reports, 2);
    return exitCode;
  },
};

/** Neither by its first bytes nor by its name a file of ours. */
function isForeign(path: string, [problem]: Report['problems']): boolean {
  return problem?.code === 'ERR_MAGIC' && !/\.(?:cna|cstore|syr)$/iu.test(path);
}

/** A damaged file is a result; one that is not there, or cannot be read, is an error. */
async function report(path: string, terminal: Terminal): Promise<Report> {
  let format: FileFormat | null = null;
  try {
    format = await identify(path);
    return await checks[format](path, terminal);
  } catch (error) {
    const isProblem = isColkitError(error) && !(error instanceof IoError) && error.code !== 'ERR_ARGUMENT';
    if (!isProblem) throw error;
    return { ok: false, facts: format === null ? {} : { format }, told: '', problems: [error] };
  }
}

const checks: Readonly<Record<FileFormat, (path: string, terminal: Terminal) => Promise<Report>>> = {
  columna: async (path) => {
    const { ok, rowCount, pageCount, problems } = await verifyColumna(path);
    const told = `${counted(rowCount, 'row')} in ${counted(pageCount, 'page')}`;
    return { ok, facts: { format: 'columna', rowCount, pageCount }, told, problems };
  },
  colstore: async (path, terminal) => {
    const onProgress = ({ readBytes, totalBytes }: VerifyProgress): void =>
      terminal.progress(`read ${count(readBytes)} of ${count(totalBytes)} bytes of ${path}`);
    const { ok, problems, ...facts } = await verifyColstore(path, { onProgress });
    const { rowCount, uncommittedBytes, statistics } = facts;
    const ignored =
      uncommittedBytes === 0 ? '' : `, ${counted(uncommittedBytes, 'byte')} behind them that readers ignore`;
    const checked = statistics === 'none' ? `; ${UNSEEN} of values` : '; statistics are those of the values';
    return {
      ok,
      facts: { format: 'colstore', ...facts },
      told: `${counted(rowCount, 'row')}${ignored}${checked}`,
      problems,
    };
  },
  syrah: (path, terminal) =>
    opened(path, async (file) => {
      if (file.kind !== 'items') throw new TypeError('items were opened as a table');
      return checkItems(file.file, terminal);
    }),
};

/** Structure, byte ranges of all arrays, text that is text, flags that are flags, arrays that do not overlap. */
async function checkItems(file: SyrahFile, terminal: Terminal): Promise<Report> {
  const { itemCount, keys } = file;
  let bytes = 0;
  for (const { name, dtype } of file.schema) {
    const width = dtype === null ? 1 : itemBytesOf(dtype);
    for (const length of file.lengths(name)) bytes += Number.isNaN(length) ? 0 : length * width;
  }
  const unused = file.dataBytes - bytes;
  // Before an item is read: a million that share one long text would be read for ever. Where dtypes differ by item,
  // `bytes` is the least that there can be.
  if (unused < 0) {
    throw new CorruptFileError('ERR_METADATA', {
      path: file.path,
      region: 'metadata',
      byteOffset: 0,
      expected: `arrays that do not overlap, of at most ${file.dataBytes} bytes`,
      found: `${bytes} bytes`,
    });
  }
  await readChecked(file, terminal);
  const isMixed = file.schema.some(({ dtype }) => dtype === null);
  const sizes = isMixed ? { arrayBytes: null, unusedBytes: null } : { arrayBytes: bytes, unusedBytes: unused };
  const shown = isMixed ? '' : `, ${counted(bytes, 'byte')} of arrays, ${count(unused)} unused`;
  const { part } = file;
  const { problem = null } = part ?? {};
  const which = part === null ? '' : `${describePart(part)}; `;
  return {
    ok: problem === null,
    facts: { format: 'syrah', itemCount, keys: keys.length, part, ...sizes },
    told: `${which}${counted(itemCount, 'item')} of ${counted(keys.length, 'key')}${shown}; ${UNSEEN}`,
    problems: problem === null ? [] : [{ code: 'ERR_LAYOUT', message: problem }],
    isIncomplete: problem !== null,
  };
}

async function readChecked(file: SyrahFile, terminal: Terminal): Promise<void> {
  const flags = new Set(file.schema.filter(({ dtype }) => dtype !== null && isFlags(dtype)).map(({ name }) => name));
  const looked = file.schema.filter(({ name, dtype }) => dtype === null || isText(dtype) || flags.has(name));
  if (looked.length === 0) return;
  let item = -1;
  for await (const entries of itemsInTurn(file, file.keys, (number) => itemEntries(file, number, file.keys))) {
    item += 1;
    terminal.progress(`verified ${count(item)} of ${count(file.itemCount)} items`);
    for (const [key, value] of entries) {
      if (!flags.has(key) || !(value instanceof Uint8Array) || value.every((byte) => byte <= 1)) continue;
      throw new CorruptFileError('ERR_LAYOUT', {
        path: file.path,
        region: `item ${item}`,
        column: key,
        byteOffset: 0,
        expected: 'bool as 0 or 1',
        found: 'another byte',
      });
    }
  }
}

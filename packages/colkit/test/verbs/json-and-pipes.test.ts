// JSON in and out of every format, and pipes: what another program reads from the command's standard output.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { open as openColstore } from 'colstore';
import { openSync, write } from 'columna';
import { typed } from '@colkit/table';
import { create as createSyrah, open as openSyrah } from 'syrah';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/program/program.ts';
import { terminalOf } from '../../src/terminal/terminal.ts';
import { BIN, Recorder, linesOf, processes, runWith } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-json-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const done = { code: 0 };

const ROWS = [
  { id: 2n ** 53n + 1n, price: 0.5, day: '2024-02-29', note: 'a "quote"', flag: true },
  { id: -1n, price: -0, day: '1969-12-31', note: null, flag: false },
];
const LINES =
  '{"id":"9007199254740993","price":0.5,"day":"2024-02-29","note":"a \\"quote\\"","flag":true}\n' +
  '{"id":-1,"price":-0,"day":"1969-12-31","note":null,"flag":false}\n';
const TABLE = at('table.cna');

beforeAll(async () => {
  await write(TABLE, {
    id: ROWS.map(({ id }) => id),
    price: ROWS.map(({ price }) => price),
    day: typed('datetime64[D]', ['2024-02-29', '1969-12-31']),
    note: ROWS.map(({ note }) => note),
    flag: ROWS.map(({ flag }) => flag),
  });
});

describe('JSON', () => {
  it.each(['jsonl', 'json', 'ndjson'])('%s: out, and in again as it was', async (ending) => {
    const path = at(`out.${ending}`);
    expect(await linesOf('convert', TABLE, path)).toMatchObject(done);
    const text = readFileSync(path, 'utf8');
    if (ending === 'json') expect(text).toBe(`[\n${LINES.trimEnd().replaceAll('\n', ',\n')}\n]\n`);
    else expect(text).toBe(LINES);
    const again = at(`again-${ending}.cna`);
    expect(await linesOf('convert', path, again)).toMatchObject(done);
    expect(await linesOf('diff', TABLE, again)).toMatchObject(done);
    using table = openSync(again);
    expect(table.schema.map(({ dtype }) => dtype)).toEqual(['int64', 'float64', 'datetime64[D]', 'string', 'bool']);
  });

  it('to .cstore, compressed, with types, columns and what is nested', async () => {
    writeFileSync(at('events.jsonl.gz'), gzipSync('{"a":1,"b":[1,2],"c":"x"}\n{"a":"7","b":{},"c":"yz"}\n'));
    const refused = await linesOf('convert', at('events.jsonl.gz'), at('events.cstore'), '--type', 'a=int16');
    expect(refused.code).toBe(1);
    expect(refused.notes.join()).toMatch(/line 1: expected one value in column "b" \(--nested text keeps lists/);
    const words = ['--type', 'a=int16', '--columns', 'c,a'];
    expect(await linesOf('convert', at('events.jsonl.gz'), at('events.cstore'), ...words)).toMatchObject(done);
    const stored = await openColstore(at('events.cstore'));
    expect(await stored.toRows()).toEqual([
      { c: 'x', a: 1 },
      { c: 'yz', a: 7 },
    ]);
    expect(stored.schema.map(({ dtype }) => dtype)).toEqual(['S2', 'int16']);
    stored.close();
    const nested = ['--nested', 'text', '--type', 'a=string'];
    expect(await linesOf('convert', at('events.jsonl.gz'), at('events.cna'), ...nested)).toMatchObject(done);
    using table = openSync(at('events.cna'));
    expect(table.toRowsSync()).toEqual([
      { a: '1', b: '[1,2]', c: 'x' },
      { a: '7', b: '{}', c: 'yz' },
    ]);
  });

  it('rows that cannot be taken stop it, or are left out and told', async () => {
    writeFileSync(at('odd.jsonl'), '{"a":1}\n{"a":\n{"a":3}\n');
    const stopped = await linesOf('convert', at('odd.jsonl'), at('odd.cna'));
    expect(stopped.code).toBe(1);
    expect(stopped.notes.join()).toMatch(/odd\.jsonl: line 2: .*--skip-rejected leaves such rows out.*ERR_VALUE/);
    const skipped = await linesOf('convert', at('odd.jsonl'), at('odd.cna'), '--skip-rejected', '--json');
    expect(skipped).toMatchObject({ code: 0, notes: [expect.stringContaining('line 2 left out')] });
    expect(JSON.parse(skipped.out.join('\n'))).toMatchObject({ rowCount: 2, rejectedCount: 1 });
  });

  it('a list of items to .syr, and back', async () => {
    writeFileSync(at('items.json'), '[{"x":[1,2],"y":["a"]},\n {"x":[],"y":["b"]}]');
    expect(await linesOf('convert', at('items.json'), at('items.syr'))).toMatchObject(done);
    using file = await openSyrah(at('items.syr'));
    expect(file.itemCount).toBe(2);
    expect(await linesOf('convert', at('items.syr'), at('back.json'))).toMatchObject(done);
    expect(JSON.parse(readFileSync(at('back.json'), 'utf8'))).toEqual([
      { x: [1, 2], y: 'a' },
      { x: [], y: 'b' },
    ]);
  });
});

describe('pipes', () => {
  it('JSON lines, CSV and a list', processes, async () => {
    expect(await runWith('', 'convert', TABLE, '-', '--to', 'jsonl')).toEqual({ code: 0, out: LINES, err: '' });
    expect((await runWith('', 'convert', TABLE, '-')).out).toBe(
      'id,price,day,note,flag\n9007199254740993,0.5,2024-02-29,"a ""quote""",true\n-1,-0,1969-12-31,,false\n',
    );
    expect(JSON.parse((await runWith('', 'convert', TABLE, '-', '--to', 'json')).out)).toHaveLength(2);
    const through = await runWith(LINES, 'convert', '-', at('piped.cna'), '--from', 'jsonl');
    expect(through).toMatchObject({ code: 0, err: '' });
    expect(await linesOf('diff', TABLE, at('piped.cna'))).toMatchObject(done);
  });

  it('an Arrow stream of many batches', processes, async () => {
    const rowCount = 200_000;
    await write(at('long.cna'), {
      n: Int32Array.from({ length: rowCount }, (_, row) => row),
      s: Array.from({ length: rowCount }, (_, row) => (row % 3 === 0 ? null : `row ${row % 100}`)),
    });
    const child = spawnSync(process.execPath, [BIN, 'convert', at('long.cna'), '-', '--to', 'arrow'], {
      maxBuffer: 1 << 26,
    });
    expect([child.status, child.stderr.toString()]).toEqual([0, '']);
    for (const bytes of [child.stdout, readArrowFile()]) {
      const table = tableFromIPC(bytes);
      expect(table.batches).toHaveLength(4);
      expect(table.getChild('n')?.toArray()).toEqual(Int32Array.from({ length: rowCount }, (_, row) => row));
      expect(table.getChild('s')?.get(3)).toBeNull();
      expect(table.getChild('s')?.get(199_999)).toBe('row 99');
      expect(table.getChild('s')?.nullCount).toBe(Math.ceil(rowCount / 3));
    }

    function readArrowFile(): Buffer {
      const { status } = spawnSync(process.execPath, [BIN, 'convert', at('long.cna'), at('long.arrow')]);
      expect(status).toBe(0);
      return readFileSync(at('long.arrow'));
    }
  });

  it('a table without rows', async () => {
    await write(at('empty.cna'), { n: new Int32Array(0) });
    expect(await linesOf('convert', at('empty.cna'), at('empty.arrow'))).toMatchObject(done);
    const table = tableFromIPC(readFileSync(at('empty.arrow')));
    expect([table.numRows, table.schema.fields.map(({ name }) => name)]).toEqual([0, ['n']]);
    expect((await linesOf('convert', at('empty.cna'), '-', '--to', 'jsonl')).out).toEqual([]);
  });

  it('a reader that goes away ends it, without an error', {
    ...processes,
    skip: processes.skip || process.platform === 'win32',
  }, () => {
    const words = `'${process.execPath}' '${BIN}' convert '${at('long.cna')}' - --to jsonl`;
    const child = spawnSync('bash', ['-c', `set -o pipefail; ${words} | head -1; echo "\${PIPESTATUS[0]}"`]);
    expect(child.stdout.toString()).toBe('{"n":0,"s":null}\n0\n');
    expect(child.stderr.toString()).toBe('');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s leaves nothing of a file that is not whole',
    {
      ...processes,
      skip: processes.skip || process.platform === 'win32',
    },
    async (signal) => {
      const rowCount = 3_000_000;
      await write(at('large.cna'), { n: new Float64Array(rowCount).fill(0.5) }, { overwrite: true });
      const into = mkdtempSync(join(folder, 'stopped-'));
      const child = spawn(process.execPath, [BIN, 'convert', at('large.cna'), join(into, 'large.jsonl')]);
      const ended = once(child, 'exit');
      while (readdirSync(into).length === 0 && child.exitCode === null) await setTimeout(5);
      expect(readdirSync(into)).toEqual([expect.stringMatching(/^\.large\.jsonl\..*\.tmp$/)]);
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(readdirSync(into)).toEqual([]);
    },
  );

  describe('leave no temporary folder', () => {
    const skip = processes.skip || process.platform === 'win32';
    const env = (to: string): NodeJS.ProcessEnv => ({ ...process.env, TMPDIR: to });
    const itemCount = 30_000;
    beforeAll(async () => {
      if (skip) return;
      await using writer = await createSyrah(at('many.syr'), { durability: 'none' });
      for (let k = 0; k < itemCount; k += 1) writer.addItemSync({ n: Int32Array.of(k), s: `item ${k}` });
    });

    it('a reader that goes away', { ...processes, skip }, () => {
      const to = mkdtempSync(join(folder, 'tmp-'));
      const words = `'${process.execPath}' '${BIN}' query '${at('many.syr')}' --json`;
      const child = spawnSync('bash', ['-c', `set -o pipefail; ${words} | head -1`], { env: env(to) });
      expect(child.stdout.toString()).toBe('{"n":0,"s":"item 0"}\n');
      expect(readdirSync(to)).toEqual([]);
    });

    it('SIGTERM', { ...processes, skip }, async () => {
      const to = mkdtempSync(join(folder, 'tmp-'));
      const child = spawn(process.execPath, [BIN, 'query', at('many.syr'), '--json'], { env: env(to) });
      const ended = once(child, 'exit');
      while (readdirSync(to).length === 0 && child.exitCode === null) await setTimeout(5);
      child.kill('SIGTERM');
      expect(await ended).toEqual([null, 'SIGTERM']);
      expect(readdirSync(to)).toEqual([]);
    });

    it('SIGTERM, while standard input is put by', { ...processes, skip }, async () => {
      const to = mkdtempSync(join(folder, 'tmp-'));
      const child = spawn(process.execPath, [BIN, 'convert', '-', at('stopped.cna')], { env: env(to) });
      const ended = once(child, 'exit');
      // More than stays in memory. What is still on its way has no reader in the end.
      child.stdin.on('error', () => undefined).write(Buffer.alloc(66 * 2 ** 20, 'a,b\n'));
      while (readdirSync(to).length === 0 && child.exitCode === null) await setTimeout(5);
      expect(readdirSync(to)).toEqual([expect.stringMatching(/^colkit-text-/)]);
      child.kill('SIGTERM');
      expect(await ended).toEqual([null, 'SIGTERM']);
      expect(readdirSync(to)).toEqual([]);
    });
  });

  it('items too', async () => {
    expect((await linesOf('convert', at('items.syr'), '-', '--to', 'jsonl')).out).toEqual([
      '{"x":[1,2],"y":"a"}',
      '{"x":[],"y":"b"}',
    ]);
  });

  it('standard output by its path in the file system', async () => {
    const [piped, named] = [
      ['-', '--to', 'jsonl'],
      ['/dev/stdout', '--to', 'jsonl'],
    ];
    expect(await linesOf('convert', at('items.syr'), ...named)).toEqual(
      await linesOf('convert', at('items.syr'), ...piped),
    );
  });

  // What a shell makes of `>(cat)` is a pipe with such a name.
  it.skipIf(process.platform === 'win32').each([
    ['csv', ['--to', 'csv']],
    ['arrow', ['--to', 'arrow', '--overwrite']],
  ] as const)('a pipe with a name gets %s as standard output does', async (form, options) => {
    const pipe = at(`pipe-${form}`);
    spawnSync('mkfifo', [pipe]);
    const read = spawn('cat', [pipe]);
    const pieces: Buffer[] = [];
    read.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    const ended = once(read, 'close');
    expect(await linesOf('convert', TABLE, pipe, ...options)).toMatchObject({ code: 0, notes: [] });
    await ended;
    const piped = spawnSync(process.execPath, [BIN, 'convert', TABLE, '-', '--to', form]);
    expect(Buffer.concat(pieces).equals(piped.stdout)).toBe(true);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('a device takes what is streamed, and nothing else', async () => {
    expect((await linesOf('convert', TABLE, '/dev/null', '--to', 'jsonl')).code).toBe(0);
    expect(await linesOf('convert', TABLE, '/dev/null', '--to', 'cstore')).toMatchObject({
      code: 2,
      notes: [expect.stringMatching(/--to: expected csv, tsv, json, jsonl, arrow to a pipe/)],
    });
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  it('nothing is sent to a terminal', async () => {
    const [stdout, stderr] = [new Recorder(true), new Recorder(false)];
    expect(await runProgram(['convert', TABLE, '-'], terminalOf({ stdout, stderr }))).toBe(2);
    expect(stdout.text).toBe('');
    expect(stderr.text).toContain('standard output is a terminal; pipe it, or use colkit head');
  });
});

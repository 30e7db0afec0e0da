// What comes in through pipes: standard input, of which nobody says what it is, and pipes that have a name.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { writeSync as writeColstore } from 'colstore';
import { openSync } from 'columna';
import { afterAll, describe, expect, it } from 'vitest';
import { formOfStream } from '../../src/convert/piped-input.ts';
import { BIN, linesOf, processes, runWith } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-piped-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);
const rowsOf = (name: string): unknown[] => {
  using table = openSync(at(name));
  return table.toRowsSync();
};

describe('what a stream is', () => {
  const lines = '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n';
  it.each([
    [[lines], 'jsonl'],
    [['\uFEFF \n', lines], 'csv'],
    [[`\uFEFF\n ${lines}`], 'jsonl'],
    [['{', '"a":1}'], 'jsonl'],
    [['{}\n'], 'jsonl'],
    [['[\n  {"a":1}]'], 'json'],
    [['[]'], 'json'],
    [['a,b\n1,2\n'], 'csv'],
    [['{a},[b]\n1,2\n'], 'csv'],
    [['[1],2\n'], 'csv'],
    [[], 'csv'],
  ] as const)('%j', async (texts, form) => {
    const stream = Readable.from(
      texts.map((text) => Buffer.from(text)),
      { objectMode: false },
    );
    expect(await formOfStream(stream)).toBe(form);
    // All of it is there for who reads it.
    expect(Buffer.concat(await stream.toArray()).toString()).toBe(texts.join(''));
  });

  it('one that fails is for its reader to tell', async () => {
    const stream = new Readable({ read: () => stream.destroy(new Error('broken')) });
    expect(await formOfStream(stream)).toBe('csv');
    await expect(stream.toArray()).rejects.toThrow('broken');
  });
});

describe('standard input', { ...processes }, () => {
  const lines = '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n';

  it('JSON is told from CSV, by convert and append', async () => {
    expect(await runWith(lines, 'convert', '-', at('in.cna'))).toMatchObject({ code: 0 });
    expect(await runWith('[{"a":3,"b":"z"}]', 'append', at('in.cna'), '-')).toMatchObject({ code: 0 });
    expect(await runWith('b,a\nw,4\n', 'append', at('in.cna'), '-')).toMatchObject({ code: 0 });
    expect(rowsOf('in.cna')).toEqual([
      { a: 1n, b: 'x' },
      { a: 2n, b: 'y' },
      { a: 3n, b: 'z' },
      { a: 4n, b: 'w' },
    ]);
  });

  it('what the command line says comes first', async () => {
    expect(await runWith('{"a":1}\n', 'convert', '-', at('said.cna'), '--from', 'csv', '--no-header')).toMatchObject({
      code: 0,
    });
    expect(rowsOf('said.cna')).toEqual([{ column0: '{"a":1}' }]);
  });

  it('without a byte, it is an error', async () => {
    const { code, err } = await runWith('', 'append', at('in.cna'), '-');
    expect([code, err]).toEqual([1, expect.stringContaining('expected at least one column but found no rows')]);
  });
});

describe('a pipe with a name', { skip: process.platform === 'win32' }, () => {
  const made = async (name: string, text: string, use: (path: string) => Promise<unknown>): Promise<void> => {
    execFileSync('mkfifo', [at(name)]);
    const writer = spawn('sh', ['-c', 'cat > "$1"', 'sh', at(name)], { stdio: ['pipe', 'ignore', 'inherit'] });
    writer.stdin.end(text);
    const ended = once(writer, 'exit');
    await use(at(name));
    await ended;
  };

  it('is text that comes in', async () => {
    await made('rows.csv', 'a,b\n1,x\n', async (path) => {
      expect(await linesOf('convert', path, at('fifo.cna'))).toMatchObject({ code: 0 });
    });
    await made('more', '{"a":2,"b":"y"}\n', async (path) => {
      expect(await linesOf('append', at('fifo.cna'), path, '--from', 'jsonl')).toMatchObject({ code: 0 });
    });
    expect(rowsOf('fifo.cna')).toEqual([
      { a: 1n, b: 'x' },
      { a: 2n, b: 'y' },
    ]);
    await made('items', '{"a":2,"b":"y"}\n', async (path) => {
      expect(await linesOf('convert', path, at('fifo.syr'), '--from', 'jsonl')).toMatchObject({ code: 0 });
    });
    expect((await linesOf('head', at('fifo.syr'), '--json')).out).toEqual(['{"a":[2],"b":"y"}']);
  });

  it('is no table of ours', async () => {
    execFileSync('mkfifo', [at('table.cna')]);
    const { code, notes } = await linesOf('convert', at('table.cna'), at('never.csv'));
    expect([code, notes]).toEqual([2, [expect.stringContaining('expected csv, tsv, json, jsonl from a pipe')]]);
  });
});

it('a command that is stopped while it writes a file anew leaves the old one alone', {
  ...processes,
  skip: processes.skip || process.platform === 'win32',
}, async () => {
  const path = at('large.cstore');
  writeColstore(path, { n: new Float64Array(4_000_000).fill(0.5) }, { layout: 'records' });
  writeFileSync(at('before'), readFileSync(path));
  const into = (): string[] => readdirSync(folder).filter((name) => name.startsWith('large.'));
  const child = spawn(process.execPath, [BIN, 'upgrade', path, '--layout', 'flat']);
  const ended = once(child, 'exit');
  while (!into().includes('large.cstore.compacting') && child.exitCode === null) await setTimeout(1);
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(into()).toEqual(['large.cstore']);
  expect(readFileSync(path).equals(readFileSync(at('before')))).toBe(true);
});

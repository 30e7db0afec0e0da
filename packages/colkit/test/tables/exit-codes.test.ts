// Exit codes, and that no error is a stack trace.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeOrders } from '../support/orders.ts';
import { BIN, processes, run, runHere } from '../support/run.ts';
import type { Outcome } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'colkit-tables-'));
const orders = join(folder, 'orders.cna');
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  writeOrders(orders, 3000, { rowGroupSize: 1000, pageRows: 512 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A failure is one or two lines about the matter. */
function expectFailure({ code, out, err }: Outcome, expected: number, about: RegExp): void {
  expect(err).toMatch(about);
  expect(code).toBe(expected);
  expect(out).toBe('');
  expect(err).not.toMatch(/\n\s+at |node:internal|dist\//);
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
}

describe('exit codes and messages', () => {
  it.each([
    ['an unknown command', ['frobnicate'], /unknown command 'frobnicate'/],
    ['an unknown option', ['head', orders, '--nope'], /'--nope'/],
    ['no file', ['head'], /missing required argument 'FILE'/],
    ['too many words', ['schema', orders, 'more'], /too many arguments for 'schema'/],
    ['a count that is none', ['head', orders, '-n', 'x'], /expected a count/],
    ['a predicate with a slip', ['query', orders, 'amount >'], /at position 8.*ERR_QUERY_SYNTAX/],
    ['a predicate of the wrong type', ['query', orders, 'region > 5'], /ERR_QUERY_TYPE/],
    ['an unknown column', ['head', orders, '--columns', 'nope'], /nope.*ERR_UNKNOWN_COLUMN/],
    ['an unknown ending', ['convert', orders, 'x.xlsx'], /expected a name that ends in/],
    ['a slip in an ending', ['convert', orders, 'x.parqet'], /did you mean \.parquet\?/],
    ['a form that no pipe takes', ['convert', orders, '-', '--to', 'cna'], /--to: expected csv, .*, arrow to standard/],
    ['a report among the data', ['convert', orders, '-', '--json'], /--json: standard output is for the data/],
    [
      'keys of a folder of items',
      ['convert', 'a', 'b.cna', '--from', 'folder', '--columns', 'x'],
      /--columns: all keys of a folder/,
    ],
    [
      'an unknown mode',
      ['convert', orders, 'x.cna', '--mode', 'tiny'],
      /'--mode <MODE>' argument 'tiny' is invalid.*default, fast, smallest, plain/,
    ],
    [
      'CSV options without CSV',
      ['convert', orders, 'x.parquet', '--separator', ';'],
      /--separator: only for CSV files, into or out of a table/,
    ],
    [
      'options of a CSV that comes in',
      ['convert', orders, 'x.csv', '--skip-rejected'],
      /--skip-rejected: only where CSV or JSON comes in/,
    ],
    ['a type without a column', ['convert', 'a.csv', 'b.cna', '--type', 'int32'], /--type: expected COLUMN=DTYPE/],
    [
      'two separators',
      ['convert', BIN.replace(/colkit\.js$/, 'a.csv'), 'b.cna', '--separator', ';;'],
      /separator.*one ASCII character/,
    ],
    [
      'a compressed file of another kind',
      ['convert', 'a.parquet.gz', 'b.cna'],
      /only CSV and JSON files may be compressed/,
    ],
    [
      'standard input of another kind',
      ['convert', '-', 'b.cna', '--from', 'parquet'],
      /--from: expected csv, tsv, json, jsonl from standard input/,
    ],
    [
      'an unknown encoding',
      ['convert', orders, 'x.cna', '--encoding', 'amount=zip'],
      /--encoding: expected COLUMN=NAME/,
    ],
  ] as const)('2: %s', async (_, words, about) => {
    expectFailure(await runHere(false, ...words), 2, about);
  });

  it.each([
    ['a file that is not there', ['inspect', at('nowhere.cna')], /ERR_NOT_FOUND/],
    ['another kind of file', ['head', BIN], /ERR_MAGIC/],
    ['an Arrow file that is not there', ['convert', at('nowhere.arrow'), at('y.cna')], /nowhere\.arrow.*ERR_NOT_FOUND/],
    [
      'something that is no Parquet',
      ['convert', orders.replace(/orders\.cna$/, 'not.parquet'), at('y.cna')],
      /ERR_METADATA/,
    ],
  ] as const)('1: %s', async (_, words, about) => {
    if (words[1].endsWith('not.parquet')) writeFileSync(words[1], 'this is text');
    expectFailure(await runHere(false, ...words), 1, about);
  });

  it('1: with the options that would help, as they are typed here', async () => {
    writeFileSync(at('uneven.csv'), 'a,b\n1,2\n3\n');
    expectFailure(
      await runHere(false, 'convert', at('uneven.csv'), at('uneven.cna')),
      1,
      /uneven\.csv: line 3: .*\(--skip-rejected leaves such rows out\)/,
    );
    writeFileSync(at('latin.csv'), Buffer.from('\xe9,b\n1,2\n', 'latin1'));
    expectFailure(await runHere(false, 'convert', at('latin.csv'), at('latin.cna')), 1, /--names gives others/);
    expectFailure(await runHere(false, 'convert', orders, orders), 1, /-f replaces it \(ERR_EXISTS\)/);
    writeFileSync(at('not.arrow'), 'this is text, and more of it than a header');
    expectFailure(
      await runHere(false, 'convert', at('not.arrow'), at('y.cna')),
      1,
      /not\.arrow: Arrow file at byte 0: .*ERR_METADATA/,
    );
  });

  it('1: a file that was cut off', async () => {
    writeFileSync(at('cut.cna'), readFileSync(orders));
    truncateSync(at('cut.cna'), 1000);
    expectFailure(await runHere(false, 'schema', at('cut.cna')), 1, /ERR_TRUNCATED/);
  });

  it('a process: 1 and 2 come out of it, without a stack', processes, async () => {
    expectFailure(await run('head', at('nowhere.cna')), 1, /ERR_NOT_FOUND/);
    expectFailure(await run('query', orders, 'amount >'), 2, /ERR_QUERY_SYNTAX/);
  });

  it('0: help, of the command and of its parts', async () => {
    const all = await runHere(false, '--help');
    expect(all.code).toBe(0);
    for (const name of ['inspect', 'head', 'schema', 'query', 'convert', 'verify', 'recover', 'diff'])
      expect(all.out).toContain(`  ${name}`);
    const one = await runHere(false, 'query', '--help');
    expect([one.code, one.out]).toEqual([
      0,
      expect.stringMatching(
        /^Usage: colkit query \[options\] <FILE> \[PREDICATE\]\n[^]*--explain[^]*Examples:\n {2}\$ colkit query /,
      ) as string,
    ]);
    expect((await runHere(false)).code).toBe(2);
  });

  it('0: a reader of the output that goes away', processes, async () => {
    const child = spawn(process.execPath, [BIN, 'query', orders, '--json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let err = '';
    child.stderr.on('data', (text: Buffer) => {
      err += text.toString();
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, err]).toEqual([0, '']);
  });
});

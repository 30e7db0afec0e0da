// Process modules that cannot be meant are refused, alike by this thread and by workers; and what a module does to its
// worker is an error of the loader, never a hang.
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ArgumentError,
  DataLoader,
  LoaderError,
  SampleError,
  SyrahConcatDataset,
  SyrahDataset,
} from '../../../src/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { collect, failureOf, writeItems } from '../fixture.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');

beforeAll(async () => {
  await writeItems(path, 4);
});

const moduleOf = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

async function failureWith(processModule: string | URL, workers: number, keys = ['x', 'label']): Promise<unknown> {
  const dataset = await SyrahDataset.open(path, keys);
  try {
    return await failureOf(new DataLoader(dataset, { workers, processModule }));
  } finally {
    dataset.close();
  }
}

describe.each([0, 2])('with %i workers', (workers) => {
  test.each([
    [
      'no export for any key',
      'export const lable = (value) => value; export const X = 1;',
      /processModule: expected an export for at least one of the keys "x", "label" but found only "X", "lable"/,
    ],
    ['no exports', 'globalThis.nothing = 1;', /"x", "label" but found no exports/],
    [
      'an export that is no function',
      'export const x = 5;',
      /process of "x": expected a function but found (?:5|number)/,
    ],
    [
      'a module that throws',
      'throw new TypeError("at loading");',
      /processModule: expected a module that can be loaded but found .*at loading/,
    ],
    ['a module that is no JavaScript', 'export const (', /a module that can be loaded/],
  ])('%s is refused', async (_, code, message) => {
    const failure = await failureWith(moduleOf(code), workers);
    expect(failure).toBeInstanceOf(ArgumentError);
    expect(failure).toMatchObject({ code: 'ERR_ARGUMENT', message: expect.stringMatching(message) as string });
  });

  test('a module that is not there is refused', async () => {
    const failure = await failureWith(new URL('./no-such-module.mjs', import.meta.url), workers);
    expect(failure).toBeInstanceOf(ArgumentError);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/no-such-module/) as string,
      cause: expect.any(Error) as Error,
    });
  });

  test('an export for one key of one of several datasets is enough', async () => {
    const [a, b] = [await SyrahDataset.open(path, ['label']), await SyrahDataset.open(path, ['label'])];
    const batches = await collect(
      new DataLoader<[{ data: Int32Array }]>(new SyrahConcatDataset([a, b]), {
        batchSize: 8,
        workers,
        processModule: moduleOf(
          'export const label = (value) => value.map((each) => each + 1); export const other = 1;',
        ),
      }),
    );
    expect(Array.from(batches[0]![0].data)).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
    a.close();
    b.close();
  });

  test('a promise that is rejected is told with item and key', async () => {
    const failure = await failureWith(
      moduleOf('export const label = () => Promise.reject(new RangeError("mine"));'),
      workers,
    );
    expect(failure).toBeInstanceOf(SampleError);
    expect(failure).toMatchObject({ key: 'label', item: 0, message: expect.stringMatching(/mine/) as string });
  });

  test('a dataset that was closed is told', async () => {
    const dataset = await SyrahDataset.open(path, ['label']);
    const loader = new DataLoader(dataset, { workers });
    await collect(loader);
    dataset.close();
    expect(await failureOf(loader)).toMatchObject({ name: 'ClosedError', code: 'ERR_CLOSED' });
    expect(await failureOf(new DataLoader(dataset, { workers, warmStart: false }))).toMatchObject({
      name: 'ClosedError',
    });
    await loader.close();
  });
});

test.each([
  [
    'a rejection that nobody handles',
    'export const label = () => { void Promise.reject(new Error("mine")); return new Promise(() => {}); };',
    /mine/,
  ],
  ['the end of the process while it is loaded', 'process.exit(3); export const label = 1;', /exit code 3/],
])('%s in a worker is an error of the loader', async (_, code, message) => {
  const failure = await failureWith(moduleOf(code), 1, ['label']);
  expect(failure).toBeInstanceOf(LoaderError);
  expect(failure).toMatchObject({ reason: 'worker', message: expect.stringMatching(message) as string });
});

test('a worker that runs out of memory is an error of the loader; the process lives', () => {
  const library = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href);
  const module =
    'const kept = []; export const label = () => { for (;;) kept.push(new Array(1e5).fill(0).map((_, k) => ({ k ' +
    '}))); };';
  const script = `import { DataLoader, SyrahDataset } from ${library};
    const dataset = await SyrahDataset.open(${JSON.stringify(path)}, ['label']);
    const options = { workers: 1, processModule: ${JSON.stringify(moduleOf(module))} };
    try { for await (const batch of new DataLoader(dataset, options)); }
    catch (error) { console.log(error.name, error.reason, error.cause.code); }`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--max-old-space-size=64', '--input-type=module', '-e', script],
    { encoding: 'utf8', timeout: 60_000, env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'LoaderError worker ERR_WORKER_OUT_OF_MEMORY\n' });
});

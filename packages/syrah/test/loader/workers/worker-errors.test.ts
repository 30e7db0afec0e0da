// What goes wrong in workers, and how a process with workers ends.
import { isColkitError } from '@colkit/io';
import { spawnSync } from 'node:child_process';
import { unlinkSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { DataLoader, LoaderError, SampleError, SyrahDataset } from '../../../src/index.ts';
import type { LoaderOptions } from '../../../src/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { failureOf, writeItems } from '../fixture.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');
const failingModule = new URL('./failing-module.mjs', import.meta.url);

beforeAll(async () => {
  await writeItems(path, 23);
});

describe('errors of workers', () => {
  let failures = 0;
  const loaderOver = async (label: number, options: LoaderOptions): Promise<DataLoader> => {
    const failing = await writeItems(folder.path(`fail-${String(label)}-${String((failures += 1))}.syr`), 6, (i) => ({
      label: Int32Array.of(i === 4 ? label : 0),
    }));
    return new DataLoader(await SyrahDataset.open(failing), {
      workers: 2,
      processModule: failingModule,
      batchSize: 2,
      ...options,
    });
  };

  test('a thrown error arrives with item, key, file and cause', async () => {
    const failure = await failureOf(await loaderOver(1, {}));
    expect(failure).toBeInstanceOf(SampleError);
    expect(failure).toMatchObject({
      item: 4,
      index: 4,
      key: 'label',
      path: folder.path('fail-1-1.syr'),
      code: 'ERR_VALUE',
    });
    expect((failure as Error).cause).toMatchObject({
      name: 'TypeError',
      message: 'no ones',
      stack: expect.stringContaining('failing-module') as string,
    });
    expect(isColkitError(failure)).toBe(true);
  });

  test('batches before it are handed out', async () => {
    const seen: unknown[] = [];
    const failure = await (async () => {
      for await (const batch of await loaderOver(1, {})) seen.push(batch);
    })().catch((error: unknown) => error);
    expect(seen.length).toBe(2);
    expect(failure).toMatchObject({ item: 4, key: 'label' });
  });

  test.each([
    [2, /exit code 7/],
    [4, /out of the blue/],
  ])('a worker that dies (%i) is an error, not a hang', async (label, message) => {
    const failure = await failureOf(await loaderOver(label, {}));
    expect(failure).toBeInstanceOf(LoaderError);
    expect(failure).toMatchObject({ reason: 'worker' });
    expect((failure as Error).message).toMatch(message);
  });

  test('a batch that takes too long', async () => {
    const failure = await failureOf(await loaderOver(3, { timeoutMs: 1500 }));
    expect(failure).toMatchObject({ name: 'LoaderError', reason: 'timeout' });
  });

  test('what cannot be sent', async () => {
    const failure = await failureOf(await loaderOver(5, { collate: 'list' }));
    expect(failure).toBeInstanceOf(LoaderError);
    expect((failure as Error).message).toMatch(/could not be cloned/);
  });

  test('a module that is missing, and a file that is gone', async () => {
    const missing = await failureOf(await loaderOver(0, { processModule: './no-such-module.mjs' }));
    expect((missing as Error).message).toMatch(/no-such-module/);
    const changing = folder.path('changing.syr');
    await writeItems(changing, 5);
    const dataset = await SyrahDataset.open(changing, ['label']);
    unlinkSync(changing);
    const gone = await failureOf(new DataLoader(dataset, { workers: 1, warmStart: false }));
    expect(gone).toBeInstanceOf(LoaderError);
    expect((gone as LoaderError).cause).toMatchObject({ code: 'ERR_NOT_FOUND' });
    dataset.close();
  });
});

describe('the process ends by itself', () => {
  const library = JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href);
  const run = (
    body: string,
    options: readonly string[] = [],
  ): { status: number | null; stdout: string; stderr: string } => {
    const script = `import { DataLoader, SyrahDataset } from ${library};
      const dataset = await SyrahDataset.open(${JSON.stringify(path)}, ['label']);\n${body}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, [...options, '--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    return { status, stdout, stderr };
  };

  test("where Node's permission model forbids workers: it says what helps", () => {
    const flags = ['--experimental-permission', '--allow-fs-read=*', '--allow-addons', '--no-warnings'];
    const count = (workers: number): string =>
      `let n = 0;
       try { for await (const _ of new DataLoader(dataset, { workers: ${String(workers)} })) n += 1; }
       catch ({ name, code, message }) { console.log(name, code, message.slice(-51)); }
       console.log(n);`;
    expect(run(count(0), flags)).toMatchObject({ status: 0, stdout: '23\n' });
    expect(run(count(2), flags)).toMatchObject({
      status: 0,
      stdout: 'LoaderError ERR_READ run it with --allow-worker, or load with workers: 0\n0\n',
    });
    expect(run(count(2), [...flags, '--allow-worker'])).toMatchObject({ status: 0, stdout: '23\n' });
  });

  test('where the system gives fewer threads than workers, or none', () => {
    const preload = new URL('../../../../testkit/src/few-threads.mjs', import.meta.url).href;
    const count = (threads: number, options: string): string => {
      process.env['COLKIT_TEST_THREADS'] = String(threads);
      const { status, stdout, stderr } = run(
        `const labels = [];
         try {
           for await (const [{ data }] of new DataLoader(dataset, ${options})) {
             labels.push(data[0]);
             // Workers that start beside the first batches get their turn.
             await new Promise((done) => setTimeout(done, 5));
           }
         } catch ({ name, code, message }) { console.log(name, code, message); }
         console.log(labels.length, labels.every((label, k) => label === k));`,
        ['--import', preload],
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout;
    };
    try {
      expect(count(1, '{ workers: 8 }')).toBe('23 true\n');
      expect(count(2, '{ workers: 8, warmStart: false }')).toBe('23 true\n');
      const none = 'LoaderError ERR_READ a loader worker could not be started: EAGAIN\n0 true\n';
      expect(count(0, '{ workers: 1 }')).toBe(none);
      expect(count(0, '{ workers: 8, warmStart: false }')).toBe(none);
    } finally {
      delete process.env['COLKIT_TEST_THREADS'];
    }
  });

  test('after a break, and with an iteration that nobody ends', () => {
    expect(
      run(`
      for await (const batch of new DataLoader(dataset, { workers: 2 })) break;
      const abandoned = new DataLoader(dataset, { workers: 2 })[Symbol.asyncIterator]();
      await abandoned.next();
      console.log('end');
    `),
    ).toEqual({ status: 0, stdout: 'end\n', stderr: '' });
  });

  test('after an error in the loop, which is told', () => {
    const { status, stderr } = run(
      'for await (const batch of new DataLoader(dataset, { workers: 2 })) throw new Error("mine");',
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/Error: mine/);
  });
});

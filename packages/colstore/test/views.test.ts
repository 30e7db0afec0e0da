// Views without a copy cost the process little, however many are asked for.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSync, writeSync } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'colstore-views-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test
  .runIf(process.env['COLKIT_BACKEND'] === 'native' && process.platform === 'linux')
  .each(['flat', 'records'] as const)(
  'any number of views in one turn of the event loop take a few mappings (%s)',
  (layout) => {
    const path = join(folder, `views-${layout}.cstore`);
    const rows = 100_000;
    writeSync(path, { a: new Float64Array(rows).fill(1), b: new Int32Array(rows) }, { layout });
    const store = openSync(path);
    const mappings = (): number =>
      readFileSync('/proc/self/maps', 'utf8')
        .split('\n')
        .filter((line) => line.endsWith(path)).length;
    for (let round = 0; round < 70_000; round += 1) {
      const view =
        round % 2 === 0
          ? store.column('a').viewArray()
          : store
              .column('a')
              .slice(round, round + 10)
              .viewArray();
      (view as Float64Array)[0] = round;
    }
    for (let round = 0; round < 1000; round += 1) store.viewColumns();
    expect(mappings()).toBe(1 + 2); // the file's, and a window for each column
    expect(store.column('a').toArraySync()).toEqual(new Float64Array(rows).fill(1));
  },
);

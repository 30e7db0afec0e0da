// Sources that nobody closed: their descriptors come back with the garbage collector, in a child process on the built
// package.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { patternBytes, testFolder } from '../support/folder.ts';

const folder = testFolder();
const BUILT = new URL('../../dist/index.js', import.meta.url).href;

test.runIf(process.platform === 'linux')(
  'descriptors of forgotten sources are closed, those of used ones are not',
  () => {
    const path = folder.file('forgotten', patternBytes(100_000));
    const script = `
    import { readdirSync } from 'node:fs';
    import { setImmediate as turn } from 'node:timers/promises';
    import { FileSource, openSourceSync } from ${JSON.stringify(BUILT)};
    const open = () => readdirSync('/proc/self/fd').length;
    const kept = FileSource.openSync(process.argv[1]);
    const mapped = openSourceSync(process.argv[1]);
    const before = open();
    for (let i = 0; i < 300; i++) {
      FileSource.openSync(process.argv[1]);
      openSourceSync(process.argv[1]).mapping?.();
    }
    const most = open();
    for (let i = 0; i < 10; i++) { gc(); await turn(); await new Promise((done) => setTimeout(done, 10)); }
    const out = new Uint8Array(4);
    kept.readSync(0, out);
    mapped.readSync(0, out);
    process.stdout.write(JSON.stringify({ opened: most - before >= 300, left: open() - before }));`;
    const printed = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script, path], {
      encoding: 'utf8',
    });
    const { opened, left } = JSON.parse(printed) as { opened: boolean; left: number };
    expect(opened).toBe(true);
    expect(left).toBeLessThan(10);
  },
);

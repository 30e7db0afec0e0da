// A warning of an owner that was never closed: once, when it is collected or at the end of the process; none after
// `stop`; and the owner is not kept alive. In processes of their own.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const library = new URL('../../dist/durable.js', import.meta.url).href;

/** What a process with these statements says on stderr. */
function warningsOf(body: string): string {
  const script = `import { WriterCalls } from ${JSON.stringify(library)};
    const watch = (path) => {
      const owner = {};
      const leak = { message: path + ' is not whole', type: 'TestLeak', detail: 'close it' };
      const calls = new WriterCalls(owner, { path, leak, giveUp: function* () {} });
      owner.warning = { stop: () => calls.closeSync('close', function* () {}) };
      return owner;
    };
    const collect = async () => {
      for (let k = 0; k < 20; k += 1) { gc(); await new Promise((resolve) => setTimeout(resolve, 5)); }
    };
    ${body}`;
  return spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  }).stderr;
}

const times = (text: string, part: string): number => text.split(part).length - 1;

test('once where it is collected, though the process goes on to its end', () => {
  const text = warningsOf("(() => { watch('a'); })(); await collect();");
  expect(times(text, 'a is not whole')).toBe(1);
  expect(text).toMatch(/TestLeak: a is not whole\n *close it/);
});

test('once at the end of the process, though it is collected after that', () => {
  expect(
    times(
      warningsOf(
        "let a = watch('a'); let once = true; process.on('beforeExit', () => { a = null; if (once) void " +
          'collect(); once = false; });',
      ),
      'a is not whole',
    ),
  ).toBe(1);
});

test('for each of many, without a warning of too many listeners; never after stop', () => {
  const text = warningsOf(
    "globalThis.all = Array.from({ length: 30 }, (_, k) => watch('f' + k)); for (const each of all.slice(0, 10)) " +
      'each.warning.stop(); each: await collect();',
  );
  expect(times(text, 'is not whole')).toBe(20);
  expect(text).not.toContain('f9 is');
  expect(text).not.toContain('MaxListeners');
});

// Which backend runs, how it is chosen, and what is said where it cannot be had. Choices are made once per process, so
// most of this runs in child processes on the built package.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { backendInfo } from '@colkit/io';
import { EXPECTED_BACKEND } from '../support/backend.ts';
import { testFolder } from '../support/folder.ts';

const folder = testFolder();

const BUILT = new URL('../../dist/index.js', import.meta.url).href;

/** Runs a script against the built package, and parses the JSON that it prints. */
function inChild(script: string, env: Record<string, string>): unknown {
  const source =
    `import * as io from ${JSON.stringify(BUILT)};\nconst print = (value) => ` +
    `process.stdout.write(JSON.stringify(value));\n${script}`;
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COLKIT_')));
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...clean, ...env },
    encoding: 'utf8',
  });
  return JSON.parse(printed);
}

const CATCH =
  'const caught = (f) => { try { f(); return null; } catch (e) { return { name: e.name, code: e.code, message: ' +
  'e.message, argument: e.argument }; } };\n';

test('this suite runs with the backend that its project names', () => {
  const info = backendInfo();
  expect(info.backend).toBe(EXPECTED_BACKEND);
  expect(info.path === null).toBe(EXPECTED_BACKEND === 'js');
  if (EXPECTED_BACKEND === 'native') expect(['baseline', 'avx2', 'avx512', 'neon']).toContain(info.kernels);
  else expect(info.reason).toContain('COLKIT_BACKEND=js');
});

test('COLKIT_BACKEND=native without an addon: nothing at import, ERR_NATIVE_UNAVAILABLE at the first use', () => {
  const result = inChild(
    `${CATCH}print({ info: io.backendInfo(), error: caught(() => io.openSourceSync('/nowhere')), memory: ` +
      'io.allocateOutputs([1e6])[0].byteLength });',
    {
      COLKIT_BACKEND: 'native',
      COLKIT_NATIVE_PATH: '/nowhere/addon.node',
    },
  );
  expect(result).toMatchObject({
    info: { backend: 'js', path: null, tried: [{ path: '/nowhere/addon.node' }] },
    error: { name: 'IoError', code: 'ERR_NATIVE_UNAVAILABLE' },
    memory: 1e6,
  });
  const { error, info } = result as { error: { message: string }; info: { reason: string } };
  expect(error.message).toContain('/nowhere/addon.node');
  expect(error.message).toContain('COLKIT_BACKEND=native');
  expect(info.reason).toContain('ERR_NATIVE_UNAVAILABLE');
});

test('without an addon, auto reads by position and says why; mmap is refused', () => {
  const script = `${CATCH}
    const path = process.env.TEST_FILE;
    const source = io.openSourceSync(path);
    const out = new Uint8Array(3);
    source.readSync(2, out);
    print({
      canView: source.canView, read: [...out], view: caught(() => source.view(0, 2)),
      mmap: caught(() => io.openSourceSync(path, { io: 'mmap' })), direct: caught(() => io.MappedSource.openSync(path)),
    });`;
  const path = folder.file('letters', new TextEncoder().encode('abcdef'));
  expect(inChild(script, { COLKIT_NATIVE_PATH: '/nowhere/addon.node', TEST_FILE: path })).toMatchObject({
    canView: false,
    read: [99, 100, 101],
    view: {
      name: 'CannotViewError',
      code: 'ERR_NOT_MAPPED',
      message: expect.stringContaining('/nowhere/addon.node') as unknown,
    },
    mmap: { name: 'IoError', code: 'ERR_NATIVE_UNAVAILABLE' },
    direct: { name: 'IoError', code: 'ERR_NATIVE_UNAVAILABLE' },
  });
});

test('where a published binary does not load, one warning says so; whoever chose TypeScript gets none', () => {
  const path = folder.file('words', new TextEncoder().encode('abcdef'));
  const script = `const seen = [];
    process.on('warning', ({ name, code, message }) => seen.push({ name, code, message }));
    for (let i = 0; i < 3; i++) io.openSourceSync(${JSON.stringify(path)}).close();
    await new Promise((resolve) => setImmediate(resolve));
    print(seen);`;
  const missing = { COLKIT_NATIVE_PATH: '/nowhere/addon.node', NODE_OPTIONS: '--no-warnings' };
  const [warning, ...more] = inChild(script, missing) as { name: string; code: string; message: string }[];
  expect(warning).toMatchObject({ name: 'ColkitWarning', code: 'COLKIT_NATIVE' });
  expect(warning!.message).toContain('COLKIT_NATIVE_PATH names a file that does not load');
  expect(more).toEqual([]);
  expect(inChild(script, { ...missing, COLKIT_BACKEND: 'js' })).toEqual([]);
});

test('setDefaultBackend and the option come before COLKIT_BACKEND, and an option before both', () => {
  const script = `${CATCH}
    const first = io.backendInfo();
    io.setDefaultBackend('native');
    const second = caught(() => io.openSourceSync('/nowhere'));
    const openWith = (backend) => caught(() => io.openSourceSync('/nowhere', { backend }));
    print({ first, second, third: openWith('js'), fourth: openWith('auto') });`;
  expect(inChild(script, { COLKIT_BACKEND: 'js', COLKIT_NATIVE_PATH: '/nowhere/addon.node' })).toMatchObject({
    first: { backend: 'js', reason: 'COLKIT_BACKEND=js turns the native addon off' },
    second: {
      code: 'ERR_NATIVE_UNAVAILABLE',
      message: expect.stringContaining("setDefaultBackend('native')") as unknown,
    },
    third: { code: 'ERR_NOT_FOUND' },
    fourth: { code: 'ERR_NATIVE_UNAVAILABLE' },
  });
});

test('a COLKIT_BACKEND that is no backend is an error when it is first used, not at import', () => {
  const script = `${CATCH}print({ info: io.backendInfo(), error: caught(() => io.openSourceSync('/nowhere')) });`;
  expect(inChild(script, { COLKIT_BACKEND: 'fast' })).toMatchObject({
    info: { backend: 'js', reason: expect.stringContaining('COLKIT_BACKEND') as unknown },
    error: { name: 'ArgumentError', code: 'ERR_ARGUMENT', argument: 'COLKIT_BACKEND' },
  });
});

test('settings have argument checks and are remembered', () => {
  const script = `${CATCH}
    const workers = [0, -1, 1.5, NaN, 4097, '2'].map((count) => caught(() => io.setMaxWorkers(count))?.code);
    io.setMaxWorkers(3);
    print({
      workers, now: io.maxWorkers(), advice: caught(() => io.setDefaultMadvise('fast')),
      backend: caught(() => io.setDefaultBackend('wasm')), good: caught(() => io.setDefaultMadvise('random')),
    });`;
  expect(inChild(script, {})).toEqual({
    workers: ['ERR_ARGUMENT', 'ERR_ARGUMENT', 'ERR_ARGUMENT', 'ERR_ARGUMENT', 'ERR_ARGUMENT', 'ERR_ARGUMENT'],
    now: 3,
    advice: expect.objectContaining({ name: 'ArgumentError', argument: 'madvise' }) as unknown,
    backend: expect.objectContaining({ name: 'ArgumentError', argument: 'backend' }) as unknown,
    good: null,
  });
});

test('what backendInfo tells is a copy', () => {
  const script = `
    const told = io.backendInfo();
    told.tried.push({ path: 'mine', error: 'mine' });
    for (const attempt of told.tried) attempt.error = 'mine';
    print({ tried: JSON.stringify(io.backendInfo().tried) });`;
  expect(inChild(script, {})).toEqual({ tried: expect.not.stringContaining('mine') as unknown });
});

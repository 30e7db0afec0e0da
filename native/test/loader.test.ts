import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { loadNative } from '../index.js';
import { platformName } from '../platform.js';
import { PLATFORMS, packageOf } from '../platforms.js';
import { hasNative } from './support.ts';

const INDEX = new URL('../index.js', import.meta.url).href;
const HERE = fileURLToPath(new URL('..', import.meta.url));
const CLI = fileURLToPath(new URL('../bin/colkit-native.js', import.meta.url));
const BUILD = fileURLToPath(new URL('../bin/build-or-explain.js', import.meta.url));

/** What loadNative() says in a fresh process, without the binding itself. */
function lookUpWith(
  env: Record<string, string>,
  flags: readonly string[] = [],
): {
  found: boolean;
  path: string | null;
  reason: string;
  tried: { path: string; error: string }[];
} {
  const code =
    `import { loadNative } from ${JSON.stringify(INDEX)}; const { binding, ...rest } = loadNative(); ` +
    'console.log(JSON.stringify({ found: binding !== null, ...rest }));';
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', code], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as ReturnType<typeof lookUpWith>;
}

test('the look-up happens once and says what it found', () => {
  const lookup = loadNative();
  expect(loadNative()).toBe(lookup);
  expect(lookup.reason).not.toBe('');
  if (lookup.binding === null) {
    expect(lookup.path).toBeNull();
    expect(lookup.tried.length).toBeGreaterThan(0);
  } else {
    expect(existsSync(lookup.path!)).toBe(true);
    expect(lookup.reason).toContain(lookup.path);
  }
});

test('COLKIT_NATIVE_PATH is the only path tried, and a file that does not load never throws', () => {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-loader-'));
  try {
    const missing = join(folder, 'missing.node');
    expect(lookUpWith({ COLKIT_NATIVE_PATH: missing })).toMatchObject({
      found: false,
      path: null,
      tried: [{ path: missing }],
    });
    const damaged = join(folder, 'damaged.node');
    writeFileSync(damaged, 'not a binary');
    const result = lookUpWith({ COLKIT_NATIVE_PATH: damaged });
    expect(result).toMatchObject({ found: false, path: null, tried: [{ path: damaged }] });
    expect(result.tried[0]!.error).not.toBe('');
    expect(result.reason).toContain('COLKIT_NATIVE_PATH');
    const other = join(folder, 'other.cjs');
    writeFileSync(other, 'module.exports = { gather: 1 };');
    expect(lookUpWith({ COLKIT_NATIVE_PATH: other })).toMatchObject({
      found: false,
      tried: [{ path: other, error: 'not the colkit addon' }],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasNative)(
  'where a process may load no addons, that is the reason, and no other binary is asked for',
  () => {
    const reason = 'this process may load no addons (--no-addons, or --permission without --allow-addons)';
    expect(lookUpWith({}, ['--no-addons'])).toMatchObject({ found: false, path: null, reason });
    expect(lookUpWith({ COLKIT_NATIVE_PATH: loadNative().path! }, ['--no-addons'])).toMatchObject({ reason });
  },
);

const mayMount = spawnSync('unshare', ['-Urm', 'true']).status === 0;

test('where nothing is installed, the reason names what builds it by its path; in a bundle, where it is put', () => {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-loader-'));
  try {
    for (const name of ['index', 'platform', 'platforms'])
      copyFileSync(join(HERE, `${name}.js`), join(folder, `${name}.js`));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const index = JSON.stringify(join(folder, 'index.js'));
    const reason = (): string =>
      spawnSync(
        process.execPath,
        ['--input-type=module', '-e', `import { loadNative } from ${index}; console.log(loadNative().reason);`],
        { encoding: 'utf8', env: { ...process.env, COLKIT_NATIVE_PATH: '', NODE_PATH: '' } },
      ).stdout.trim();
    expect(reason()).toMatch(/put colkit_native\.node beside the program$/);
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'colkit-native.js'), '');
    expect(reason()).toContain(`\`node "${join(folder, 'bin', 'colkit-native.js')}" build\` builds it here`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasNative || !mayMount)('a folder that is mounted with noexec is told, and what helps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'colkit-noexec-'));
  try {
    const installed = join(folder, 'node_modules', packageOf(platformName()));
    const copy = join(installed, 'colkit_native.node');
    const index = JSON.stringify(join(folder, 'index.js'));
    const script = `mount -t tmpfs -o noexec none '${folder}' && mkdir -p '${installed}' &&
      cp '${loadNative().path!}' '${copy}' && echo '{"main":"colkit_native.node"}' > '${installed}/package.json' &&
      cp ${['index', 'platform', 'platforms'].map((name) => `'${join(HERE, `${name}.js`)}'`).join(' ')} '${folder}' &&
      echo '{"type":"module"}' > '${folder}/package.json' &&
      "$NODE" --input-type=module -e 'import { loadNative } from ${index}; console.log(loadNative().reason);'`;
    const reasonWith = (env: Record<string, string>): string =>
      spawnSync('unshare', ['-Urm', 'sh', '-c', script], {
        encoding: 'utf8',
        env: { ...process.env, NODE: process.execPath, ...env },
      }).stdout;
    expect(reasonWith({ COLKIT_NATIVE_PATH: '' })).toMatch(
      /does not load \(.*failed to map.*\); its folder may be mounted with noexec: let COLKIT_NATIVE_PATH name a copy/,
    );
    expect(reasonWith({ COLKIT_NATIVE_PATH: copy })).toMatch(/^COLKIT_NATIVE_PATH names a file .*\(.*failed to map/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.skipIf(!hasNative)('COLKIT_NATIVE_PATH names the binary to load', () => {
  const path = loadNative().path!;
  expect(lookUpWith({ COLKIT_NATIVE_PATH: path })).toMatchObject({ found: true, path, tried: [] });
});

test.skipIf(!hasNative)(
  'a bundle in one folder finds the binary that stands beside it, as an ES module and in CommonJS',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'colkit-bundle-'));
    try {
      copyFileSync(loadNative().path!, join(folder, 'colkit_native.node'));
      const contents =
        "import { loadNative } from './index.js'; const { binding, path, tried } = loadNative(); " +
        'console.log(JSON.stringify({ found: binding !== null, path, tried }));';
      for (const [format, name] of [
        ['esm', 'bundle.mjs'],
        ['cjs', 'bundle.cjs'],
      ] as const) {
        const outfile = join(folder, name);
        const { errors } = await build({
          stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
          bundle: true,
          platform: 'node',
          format,
          outfile,
          logLevel: 'silent',
        });
        expect(errors).toEqual([]);
        // A package manager's scripts may set NODE_PATH, by which the workspace's own package is found.
        const env = { ...process.env };
        delete env['NODE_PATH'];
        const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8', cwd: tmpdir(), env });
        expect(stderr).toBe('');
        expect(JSON.parse(stdout)).toMatchObject({ found: true, path: join(folder, 'colkit_native.node') });
      }
      // As webpack and Vite leave it: a folder of the machine that made the bundle, a part in a folder of its own.
      const text = readFileSync(join(folder, 'bundle.mjs'), 'utf8');
      mkdirSync(join(folder, 'assets'));
      writeFileSync(
        join(folder, 'assets', 'part.mjs'),
        text.replaceAll('import.meta.url', '"file:///nowhere/node_modules/@colkit/native/index.js"'),
      );
      writeFileSync(join(folder, 'app.mjs'), "import './assets/part.mjs';");
      const env = { ...process.env };
      delete env['NODE_PATH'];
      const moved = spawnSync(process.execPath, [join(folder, 'app.mjs')], { encoding: 'utf8', cwd: tmpdir(), env });
      expect(moved.stderr).toBe('');
      expect(JSON.parse(moved.stdout)).toMatchObject({ found: true, path: join(folder, 'colkit_native.node') });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('every published platform is an optional dependency with the right system, processor and C library', () => {
  const require = createRequire(import.meta.url);
  const { version, optionalDependencies } = require('../package.json') as {
    version: string;
    optionalDependencies: Record<string, string>;
  };
  expect(Object.keys(optionalDependencies).sort()).toEqual(Object.keys(PLATFORMS).map(packageOf).sort());
  for (const [name, { os, cpu, libc }] of Object.entries(PLATFORMS)) {
    const manifest = require(`../platforms/${name}/package.json`) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name: packageOf(name),
      version,
      os: [os],
      cpu: [cpu],
      main: 'colkit_native.node',
    });
    expect(manifest['libc']).toEqual(libc === undefined ? undefined : [libc]);
  }
});

test('info prints where the addon was found or why not, also where nothing loads', () => {
  const found = spawnSync(process.execPath, [CLI, 'info'], { encoding: 'utf8' });
  expect(found.status).toBe(0);
  expect(found.stdout).toContain(hasNative ? loadNative().path : 'found:    nothing');
  const nothing = spawnSync(process.execPath, [CLI, 'info'], {
    encoding: 'utf8',
    env: { ...process.env, COLKIT_NATIVE_PATH: '/nowhere/addon.node' },
  });
  expect(nothing.status).toBe(0);
  expect(nothing.stdout).toContain('tried:    /nowhere/addon.node');
  expect(nothing.stdout).toContain('found:    nothing');
});

test('the command shows what a terminal would obey in a path', () => {
  const env = {
    ...process.env,
    COLKIT_NATIVE_PATH: '/nowhere/\u001b[2J\u009b1m\u202e\u2066\u061c\nfound: all is well/addon.node',
  };
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, 'info'], { encoding: 'utf8', env });
  expect(stderr).toBe('');
  expect(stdout).toContain('/nowhere/\\u001b[2J\\u009b1m\\u202e\\u2066\\u061c\\u000afound: all is well/addon.node');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(stdout).not.toMatch(/^found: all/m);
});

test('an unknown command explains the known ones', () => {
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'destroy'], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('Usage: colkit-native <command>');
});

test('without a compiler the build says so in one sentence and ends well, and the command asks for the tools', () => {
  const env = { ...process.env, COLKIT_TOOLCHAIN: 'none' };
  const build = spawnSync(process.execPath, [BUILD], { encoding: 'utf8', env });
  expect(build.status).toBe(0);
  expect(build.stdout.trim().split('\n')).toHaveLength(1);
  expect(build.stdout).toContain('a C++ compiler and cmake not found');
  expect(build.stdout).toContain('continues in pure TypeScript');
  const command = spawnSync(process.execPath, [CLI, 'build'], { encoding: 'utf8', env });
  expect(command.status).toBe(1);
  expect(command.stderr).toContain('a C++ compiler and cmake not found');
});

test.skipIf(!hasNative || process.platform !== 'linux')(
  'the binary needs Node-API only: no symbol of V8, and no C++ runtime of the machine',
  () => {
    const symbols = spawnSync('nm', ['-D', '--undefined-only', loadNative().path!], { encoding: 'utf8' });
    if (symbols.error !== undefined) return; // no binutils on this machine
    expect(symbols.stdout).toContain('napi_create_threadsafe_function');
    expect(symbols.stdout).not.toMatch(/v8|_ZN4node/);
    expect(symbols.stdout).not.toMatch(/ uv_/);
    expect(symbols.stdout).not.toMatch(/GLIBCXX|CXXABI/);
  },
);

// Builds what the fuzzer runs, apart from what is shipped: in build/sanitized the addon and page_fuzz with
// AddressSanitizer and UndefinedBehaviorSanitizer; with --libfuzzer, in build/libfuzzer,
// page_fuzz as a libFuzzer program (needs clang and its runtime). Prints what is missing and exits with 3 where the
// machine cannot.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cmakeJs } from './build.js';
import { describeToolchain } from './toolchain.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SANITIZERS = 'address,undefined';
const CANNOT = 3;
const withLibFuzzer = process.argv.includes('--libfuzzer');
const folder = join(ROOT, 'build', withLibFuzzer ? 'libfuzzer' : 'sanitized');
const { missing } = describeToolchain();
if (missing.length > 0 || process.platform !== 'linux')
  cannot(missing.length > 0 ? `${missing.join(' and ')} not found` : 'sanitizers in Node are set up for Linux');
if (withLibFuzzer && spawnSync('clang++', ['--version']).status !== 0) cannot('clang++ not found');
// What is up to date costs a second.
mkdirSync(folder, { recursive: true });
if (withLibFuzzer) buildWithClang();
else buildAddon();

function buildAddon() {
  const [command, parameters] = cmakeJs();
  run(command, [...parameters, 'compile', '-O', folder, '--config', 'Release', `--CDCOLKIT_SANITIZE=${SANITIZERS}`]);
}

function buildWithClang() {
  run('cmake', [
    '-S',
    ROOT,
    '-B',
    folder,
    '-DCMAKE_CXX_COMPILER=clang++',
    '-DCMAKE_BUILD_TYPE=Release',
    '-DCOLKIT_LIBFUZZER=ON',
    `-DCOLKIT_SANITIZE=${SANITIZERS}`,
  ]);
  run('cmake', ['--build', folder, '--parallel', '2']);
}

function run(command, parameters) {
  const { status, stdout, stderr, error } = spawnSync(command, parameters, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0)
    cannot(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${command} ${parameters.join(' ')} failed`);
}

function cannot(why) {
  console.error(why);
  process.exit(CANNOT);
}

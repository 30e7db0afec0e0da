// Builds the kernels' own tests (plain C++ programs, no Node) and runs them: beside the addon where it was built here,
// with its kernels. `--sanitize` builds them with AddressSanitizer and UndefinedBehaviorSanitizer. Where there is no
// compiler it says so and ends well, like the build.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeToolchain } from './toolchain.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const sanitize = process.argv.includes('--sanitize');
const besideAddon = !sanitize && existsSync(join(ROOT, 'build', 'CMakeCache.txt'));
const folder = join(ROOT, 'build', sanitize ? 'tests-sanitized' : besideAddon ? '' : 'tests');

const { missing } = describeToolchain();
if (missing.length > 0) {
  console.log(`@colkit/native: ${missing.join(' and ')} not found, so the kernels' own tests are not built.`);
} else {
  const configure = [
    'cmake',
    '-S',
    ROOT,
    '-B',
    folder,
    '-DCMAKE_BUILD_TYPE=Release',
    '-DCOLKIT_TESTS=ON',
    `-DCOLKIT_SANITIZE=${sanitize ? 'address,undefined' : ''}`,
  ];
  const steps = [
    ...(besideAddon ? [] : [configure]),
    ['cmake', '--build', folder, '--config', 'Release', '--target', 'kernel_tests', '--parallel', '2'],
    ['ctest', '--test-dir', folder, '--build-config', 'Release', '--output-on-failure'],
  ];
  for (const [command, ...parameters] of steps) {
    const { status, stdout, error } = spawnSync(command, parameters, {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (status !== 0 || command === 'ctest') console.log(stdout ?? error?.message);
    if (status !== 0) {
      console.error(`${command} ${parameters.join(' ')} failed`);
      process.exitCode = 1;
      break;
    }
  }
}

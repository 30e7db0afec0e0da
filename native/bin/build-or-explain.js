// The package's build script: builds the addon where the machine can, and where it cannot says so in one sentence and
// lets the rest go on.
import { build } from './build.js';
import { note, print } from './print.js';
import { describeToolchain } from './toolchain.js';

const { missing, tools } = describeToolchain();
if (missing.length > 0) {
  print(
    `@colkit/native: ${missing.join(' and ')} not found, so the addon is not built; everything continues in pure ` +
      'TypeScript (same results, slower).',
  );
} else {
  try {
    print(build(tools).built ? '@colkit/native: built' : '@colkit/native: up to date');
  } catch (error) {
    note(error.message);
    process.exitCode = 1;
  }
}

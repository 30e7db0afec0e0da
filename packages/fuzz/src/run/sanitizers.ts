// The addon under AddressSanitizer and UndefinedBehaviorSanitizer, built when its sources changed, and the environment
// in which an ordinary Node loads it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const NATIVE = join(ROOT, 'native');
const SANITIZED = join(NATIVE, 'build', 'sanitized');

export interface Sanitized {
  readonly environment: Readonly<Record<string, string>>;
  /** Of these processes: Node itself leaks what it does not free at the end, and its own code is not instrumented. */
  readonly pageLoop: string;
}

const ASAN_OPTIONS = [
  'detect_leaks=0',
  'abort_on_error=0',
  'exitcode=99',
  'allocator_may_return_null=1',
  'quarantine_size_mb=32',
  'detect_odr_violation=0',
  'allow_user_segv_handler=1',
  'alloc_dealloc_mismatch=0',
].join(':');
const UBSAN_OPTIONS = 'halt_on_error=1:print_stacktrace=1:exitcode=99';

/** Null, after saying why, where this machine cannot. */
export function sanitizedAddon(): Sanitized | null {
  if (!build([])) return null;
  const runtime = spawnSync('c++', ['-print-file-name=libasan.so'], { encoding: 'utf8' }).stdout.trim();
  if (!existsSync(runtime)) {
    console.log('no sanitizers: libasan.so not found');
    return null;
  }
  return {
    environment: {
      LD_PRELOAD: runtime,
      ASAN_OPTIONS,
      UBSAN_OPTIONS,
      COLKIT_NATIVE_PATH: join(SANITIZED, 'Release', 'colkit_native.node'),
    },
    pageLoop: join(SANITIZED, 'page_fuzz'),
  };
}

/** page_fuzz as a libFuzzer program, or null where there is no clang. */
export function libFuzzer(): string | null {
  return build(['--libfuzzer']) ? join(NATIVE, 'build', 'libfuzzer', 'page_fuzz') : null;
}

function build(parameters: readonly string[]): boolean {
  const begun = Date.now();
  const { status, stderr } = spawnSync(process.execPath, [join(NATIVE, 'bin', 'sanitized.js'), ...parameters], {
    encoding: 'utf8',
  });
  const what = parameters.length > 0 ? 'page_fuzz with libFuzzer' : 'the addon with sanitizers';
  if (status === 0) console.log(`${what}: ready after ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  else console.log(`${what} is not built: ${stderr.trim().split('\n').at(-1) ?? ''}`);
  return status === 0;
}

/** What sanitizers are asked to do in programs that carry their own runtime. */
export const SANITIZER_OPTIONS: Readonly<Record<string, string>> = { ASAN_OPTIONS, UBSAN_OPTIONS };

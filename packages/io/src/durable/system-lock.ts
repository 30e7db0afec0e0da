// The advisory lock of an open file (flock): the one that writers of other programs take, Python's colstore among them.
// Node has no such call; the addon has. Where there is none, that is said once, and locks beside the file still hold
// between writers of this package.
import { nativeBindingIfLoaded, whyNotNative } from '../backend/native.ts';
import type { NativeBinding } from '../backend/native.ts';
import type { SystemLock } from '../effects/file-operations.ts';

/** @throws what the system says, other than that there are no such locks. */
export function lockOpenFile(fd: number): SystemLock {
  // An addon that was built before it had the call is as good as none.
  const binding: Partial<NativeBinding> | null = nativeBindingIfLoaded();
  const result = binding?.lockFile?.(fd) ?? 'unsupported';
  if (result === 'unsupported') warnOnce(binding === null ? whyNotNative() : 'the file system has no flock');
  return result;
}

const SUBJECT = Object.freeze({ of: 'locks of the system' });
const warned = new WeakSet<object>();

function warnOnce(why: string): void {
  if (warned.has(SUBJECT)) return;
  warned.add(SUBJECT);
  process.emitWarning(`files are written without the lock that other programs' writers look for: ${why}`, {
    type: 'ColkitWarning',
    code: 'COLKIT_NO_FLOCK',
    detail: "Writers of this package keep each other out all the same; let no other program's write the same file.",
  });
}

// What the tests of remedies share: small files.
import { execFileSync } from 'node:child_process';

export const overwrite = { overwrite: true };

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const has = (command: string): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

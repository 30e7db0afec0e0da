// What a user should know though nothing failed: a warning of the process, and of the console in browsers, which have
// no other.
import { visibleText } from './visible-text.ts';

/** @param code of the warning, for those who filter; @param detail what to do about it. */
export function warn(code: string, message: string, detail: string): void {
  const host = globalThis as {
    process?: { emitWarning?: (message: string, options: object) => void };
    console?: { warn: (message: string) => void };
  };
  const { process, console } = host;
  const text = visibleText(message);
  if (process?.emitWarning === undefined) console?.warn(`${code}: ${text}; ${detail}`);
  else process.emitWarning(text, { type: 'ColkitWarning', code, detail });
}

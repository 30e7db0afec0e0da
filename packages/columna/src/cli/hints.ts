// What the library's errors tell a programmer to pass -> what somebody at a command line types.
import { isColkitError } from '@colkit/io';
import type { Command } from '@colkit/io/command';

const HINTS: readonly (readonly [hint: string, option: string])[] = [
  ['pass { overwrite: true } to replace it', '-f replaces it'],
  ["({ onError: 'skip' } leaves such rows out)", '(--skip-rejected leaves such rows out)'],
  ['({ names } gives others)', '(--names gives others)'],
];

/** The same command, the errors of which name its options. */
export function withHints(command: Command): Command {
  return {
    ...command,
    async run(given, terminal) {
      try {
        return await command.run(given, terminal);
      } catch (error) {
        if (isColkitError(error)) error.message = HINTS.reduce((text, [hint, option]) => text.replace(hint, option), error.message);
        throw error;
      }
    },
  };
}

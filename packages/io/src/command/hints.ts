// What the errors of the libraries tell a programmer to pass, and what somebody at a command line types instead: the one
// place that translates. A test holds each against the sources, so that a changed text is noticed.

/** Pairs of texts; the first occurrence of each left one in a message is replaced. */
export type Hints = readonly (readonly [forProgrammers: string, forUsers: string])[];

/** Of files, which all commands write. @param program what is typed for it. */
export function fileHints(program: string): Hints {
  return [
    ['pass { overwrite: true } to replace it', '-f replaces it'],
    ['recover(path, { force: true })', `${program} recover FILE --force`],
    ['recover(path) makes a whole file of it, { overwrite: true } throws it away', `${program} recover FILE makes a whole file of it, -f throws it away`],
  ];
}

/** A message in the words of the command line. */
export function inWordsOf(hints: Hints, message: string): string {
  return hints.reduce((text, [forProgrammers, forUsers]) => text.replace(forProgrammers, () => forUsers), message);
}

// What the commands of the formats share: words -> options, an exit code, lines and JSON. Not for users: it changes with the commands. It lives in io, the lowest layer that all formats
// have, because it needs nothing but the error family; and under a name of its own, so that nobody who imports the library loads a parser of command lines. Node only.
export { Given, UsageError, parseCommandLine } from './arguments.ts';
export type { Command, OptionKind, OptionSpec } from './arguments.ts';
export { fileHints } from './hints.ts';
export type { Hints } from './hints.ts';
export { toJson } from './json.ts';
export { runProgram, startProgram } from './program.ts';
export type { Program } from './program.ts';
export { count, terminalOf } from './terminal.ts';
export type { Streams, Terminal } from './terminal.ts';

// Mutants of the durable module that nobody could notice. The form: `../survivors.mjs`.
const NO_GUARD = 'a name that is none of a guard is passed over';
const CAUGHT = 'what is thrown for what is no file is caught, and means nobody, too';
const NOT_OURS = 'only what is ours is released: a lock that was not had is looked at and left';
const TEXT = 'which of two sentences stands in the message';
const NO_PATH = 'a holder that is not known has no path, and so stands as it is';
const NO_USERS = 'for systems without users, which these tests do not run on';
const SAID_AGAIN = 'what follows says the same, and this is for the compiler';
const NEVER_FAILS = 'releasing never fails, so that no error names the operation';
const NO_FILE = 'whatever is no file is refused with the same words';
const NO_DEAD_WRITER = 'a name that no writer gave to a file beside its target is passed over';
const ON_LINUX = 'on Linux opening a pipe for both directions waits for nobody; other systems may';

export const EQUIVALENT = [
  { file: 'lock-file.ts', of: '[]', becomes: '["Stryker was here"]', line: 'let names', why: NO_GUARD },
  { file: 'file-lock.ts', of: "facts?.type !== 'file'", becomes: 'false', line: 'folderState', why: CAUGHT },
  { file: 'file-lock.ts', of: 'facts?.type', becomes: 'facts.type', line: 'folderState', why: CAUGHT },
  { file: 'file-lock.ts', of: 'holder !== null', becomes: 'true', line: 'isOf(holder, facts)', why: CAUGHT },
  { file: 'file-lock.ts', of: '{ // Where it matters, taking the lock…', becomes: '{}', why: CAUGHT },
  { file: 'file-lock.ts', of: 'holder === null', becomes: 'true', line: 'held.push', why: NOT_OURS },
  { file: 'file-lock.ts', of: '{ why = messageOf(error); }', becomes: '{}', why: TEXT },
  { file: 'file-lock.ts', of: "holder === 'somebody'", becomes: 'false', line: 'isOf(holder, facts)', why: NO_PATH },
  { file: 'file-lock.ts', of: "'somebody'", becomes: '""', line: 'isOf(holder, facts)', why: NO_PATH },
  { file: 'file-lock.ts', of: "{ if (systemCode(error) !== 'EEXIST') throw error; }", becomes: '{}', why: TEXT },
  { file: 'file-lock.ts', of: "systemCode(error) !== 'EEXIST'", becomes: 'false', why: TEXT },
  { file: 'file-lock.ts', of: 'process.getuid?.()', becomes: 'process.getuid()', why: NO_USERS },
  { file: 'file-lock.ts', of: 'user === undefined', becomes: 'false', why: NO_USERS },
  { file: 'file-lock.ts', of: "'foreign'", becomes: '""', line: ": 'foreign'", why: TEXT },
  {
    file: 'system-lock.ts',
    of: "{ of: 'locks of the system' }",
    becomes: '{}',
    why: 'the key of a set: what stands in it is for debuggers',
  },
  { file: 'lock-file.ts', of: "typeof pid !== 'number'", becomes: 'false', why: SAID_AGAIN },
  { file: 'reservation.ts', of: "'release'", becomes: '""', why: NEVER_FAILS },
  { file: 'reservation.ts', of: "{ ...before, type: 'other' }", becomes: '{}', why: NO_FILE },
  { file: 'reservation.ts', of: "'other'", becomes: '""', why: NO_FILE },
  { file: 'processes.ts', of: 'started !== undefined', becomes: 'true', line: 'STARTS.set', why: SAID_AGAIN },
  { file: 'processes.ts', of: '[]', becomes: '["Stryker was here"]', line: 'networkInterfaces', why: SAID_AGAIN },
  {
    file: 'system-files.ts',
    of: '(fs.constants.O_NONBLOCK…',
    becomes: ['fs.constants.O_NONBLOCK as number | undefined && 0'],
    why: ON_LINUX,
  },
  { file: 'folder.ts', of: 'names.filter(isTemporary)', becomes: 'names', why: NO_DEAD_WRITER },
  { file: 'folder.ts', of: 'names.filter((name) => !isTemporary(name))', becomes: 'names', why: NO_DEAD_WRITER },
  { file: 'folder.ts', of: "'.'", becomes: '""', line: 'const isTemporary', why: NO_DEAD_WRITER },
  {
    file: 'folder.ts',
    of: 'dirname(path) === path',
    becomes: 'false',
    why: 'the root is there: nothing above a folder that is missing has no folder above it',
  },
  {
    file: 'folder.ts',
    of: "systemCode(error) === 'EEXIST'",
    becomes: 'true',
    why: 'a folder that is there after all is what was asked for, whatever the system said',
  },
];

// The writer that gets killed. Arguments: its path, 'journal' or 'plain', DEATH, 'torn' or 'whole'. Writes a known
// file, and announces its phase and how many items were acknowledged before every call of the file system and after
// every item. At announcement number DEATH (0: never) it kills itself, after half of the call where that is a write
// that shall be torn.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { announcementLine } from '@colkit/testkit/announcements';
import { ITEMS, itemOf } from './content.ts';

type Call = (...parameters: unknown[]) => unknown;

const [path = '', mode, death, torn] = process.argv.slice(2);
const { writeSync } = fs;
let phase = 'create';
let isClosing = false;
let isPublished = false;
let acknowledgedRows = 0;
let told = 0;
/** What modules do when they are loaded is no phase. */
let isLoaded = false;

function tell(beforeDeath: () => void = () => undefined): void {
  if (!isLoaded) return;
  writeSync(1, announcementLine({ phase, acknowledgedRows }));
  told += 1;
  if (told !== Number(death)) return;
  beforeDeath();
  process.kill(process.pid, 'SIGKILL');
}

function phaseOf(name: string, parameters: readonly unknown[]): string {
  if (isPublished) return 'cleanup';
  if (!isClosing) return name.startsWith('write') ? 'items' : phase;
  if (name.startsWith('link') || name.startsWith('rename')) {
    isPublished = true;
    return 'publish';
  }
  if (name.startsWith('fsync')) return 'sync';
  if (name.startsWith('write')) return parameters[4] === 0 ? 'header' : 'metadata';
  return phase;
}

function watch(functions: object, names: readonly string[]): void {
  const calls = functions as Record<string, Call>;
  for (const name of names) {
    const original = calls[name]!;
    const watched = (...parameters: unknown[]): unknown => {
      phase = phaseOf(name, parameters);
      tell(() => {
        const [fd, bytes, , length, position] = parameters as [
          number,
          Uint8Array,
          number,
          number | undefined,
          number | null | undefined,
        ];
        if (torn === 'torn' && (name === 'write' || name === 'writeSync'))
          writeSync(fd, bytes, 0, Math.floor((length ?? bytes.length) / 2), position ?? null);
      });
      return original(...parameters);
    };
    // Some functions carry their promise form under a symbol.
    for (const symbol of Object.getOwnPropertySymbols(original))
      Object.defineProperty(watched, symbol, Object.getOwnPropertyDescriptor(original, symbol)!);
    calls[name] = watched;
  }
}

watch(fs, [
  'openSync',
  'writeSync',
  'fsyncSync',
  'linkSync',
  'renameSync',
  'unlinkSync',
  'closeSync',
  'rmSync',
  'ftruncateSync',
  'open',
  'write',
  'fsync',
  'close',
  'fchmod',
]);
watch(fs.promises, ['link', 'rename', 'unlink', 'rm']);
syncBuiltinESMExports();

// Only now: a module may take a function apart when it is loaded.
const { create } = await import('../../src/index.ts');
isLoaded = true;
const writer = await create(path, { journal: mode === 'journal' });
phase = 'items';
for (let i = 0; i < ITEMS; i += 1) {
  await writer.addItem(itemOf(i));
  acknowledgedRows = i + 1;
  tell();
}
isClosing = true;
await writer.close();
phase = 'done';
tell();

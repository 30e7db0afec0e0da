// The side journal of a .syr writer that died, together with the arrays that it wrote, as one mutant: a head of 12
// bytes (what it is, how long the journal is), the journal, the partial file.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { crc32 } from '@colkit/io';
import { createSync, openSync, recoverSync } from 'syrah';
import type { ItemInput } from 'syrah';
import { getNumber, join, mutateBlindly, mutateNumber, putNumber, viewOf } from '../run/bytes.ts';
import type { Recorder } from '../run/outcome.ts';
import { chance } from '../run/random.ts';
import type { Random } from '../run/random.ts';
import { mutateJson } from './json.ts';
import type { Seed } from './format.ts';

const MAGIC = new TextEncoder().encode('JOURNAL\0');
const HEAD_BYTES = 12;
/**
 * Of the journal: its magic, of which the last byte says that the writer gave up; then owner and keys, each behind
 * length and checksum.
 */
const JOURNAL_HEAD_BYTES = 8;
const GIVEN_UP = 0xff;

export function isJournal(bytes: Uint8Array): boolean {
  return bytes.length > HEAD_BYTES && MAGIC.every((byte, at) => bytes[at] === byte);
}

/** What a writer has on disk before it is closed. */
export function journalSeed(folder: string, items: readonly ItemInput[]): Seed {
  const path = joinPath(folder, 'journaled.syr');
  const writer = createSync(path, { journal: true, overwrite: true, durability: 'none' });
  for (const item of items) writer.addItemSync(item);
  const [journal, partial] = [`${path}.journal`, `${path}.partial`].map((part) => new Uint8Array(readFileSync(part)));
  writer.closeSync();
  if (journal === undefined || partial === undefined) throw new Error('a writer keeps two files');
  journal[JOURNAL_HEAD_BYTES - 1] = GIVEN_UP;
  return { name: 'journal', bytes: pack(journal, partial) };
}

function pack(journal: Uint8Array, partial: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  putNumber(length, 0, 4, BigInt(journal.length));
  return join([MAGIC, length, journal, partial]);
}

function unpack(bytes: Uint8Array): { journal: Uint8Array; partial: Uint8Array } {
  const end = Math.min(bytes.length, HEAD_BYTES + Number(getNumber(bytes, 8, 4)));
  return { journal: bytes.slice(HEAD_BYTES, end), partial: bytes.slice(end) };
}

export function mutateJournal(random: Random, bytes: Uint8Array): Uint8Array {
  const { journal, partial } = unpack(bytes);
  if (chance(random, 0.15)) return pack(mutateBlindly(random, journal, [journal]), partial);
  if (chance(random, 0.15)) return pack(journal, mutateBlindly(random, partial, [partial]));
  const owner = partAt(journal, JOURNAL_HEAD_BYTES);
  const keys = partAt(journal, owner.end);
  const records = journal.slice(keys.end);
  const near = [BigInt(partial.length)];
  switch (random.integer(4)) {
    case 0:
      return pack(
        join([
          journal.subarray(0, JOURNAL_HEAD_BYTES),
          headed(mutateJson(random, owner.text)),
          journal.subarray(owner.end),
        ]),
        partial,
      );
    case 1:
      return pack(
        join([
          journal.subarray(0, owner.end),
          headed(mutateJson(random, keys.text)),
          chained(records, countOf(keys.text)),
        ]),
        partial,
      );
    default: {
      const record = 4 + 16 * countOf(keys.text);
      const at = record * random.integer(Math.max(1, Math.floor(records.length / record)));
      mutateNumber(random, records, at + 4 + 8 * random.integer((record - 4) / 8), 8, near);
      return pack(join([journal.subarray(0, keys.end), chained(records, countOf(keys.text))]), partial);
    }
  }
}

function partAt(journal: Uint8Array, at: number): { text: Uint8Array; end: number } {
  const end = at + 8 + Number(getNumber(journal, at, 4));
  return { text: journal.slice(at + 8, end), end };
}

function headed(text: Uint8Array): Uint8Array {
  const head = new Uint8Array(8);
  viewOf(head).setUint32(0, text.length, true);
  viewOf(head).setUint32(4, crc32(text), true);
  return join([head, text]);
}

function countOf(text: Uint8Array): number {
  try {
    const keys: unknown = JSON.parse(new TextDecoder().decode(text));
    return Array.isArray(keys) ? keys.length : 0;
  } catch {
    return 0;
  }
}

/** Records with checksums, each continued from the one before. */
function chained(records: Uint8Array, keyCount: number): Uint8Array {
  const bytes = records.slice();
  const record = 4 + 16 * keyCount;
  let previous = 0;
  for (let at = 0; at + record <= bytes.length; at += record) {
    previous = crc32(bytes.subarray(at + 4, at + record), previous);
    viewOf(bytes).setUint32(at, previous, true);
  }
  return bytes;
}

/** Recovers from it, as after a crash, and reads every item of what it made. */
export async function exerciseJournal(recorder: Recorder, path: string, bytes: Uint8Array): Promise<void> {
  const { journal, partial } = unpack(bytes);
  const folder = `${path}.dead`;
  mkdirSync(folder, { recursive: true });
  try {
    const file = joinPath(folder, 'journaled.syr');
    writeFileSync(`${file}.journal`, journal);
    writeFileSync(`${file}.partial`, partial);
    const recovery = await recorder.step('recover', () => {
      const { status, itemCount, lostBytes } = recoverSync(file, { force: true });
      return [status, itemCount, lostBytes];
    });
    if (recovery?.[0] !== 'recovered') return;
    await recorder.step('recovered items', () => {
      using opened = openSync(file, { backend: recorder.backend });
      return Array.from({ length: opened.itemCount }, (_, item) => opened.getItemSync(item));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

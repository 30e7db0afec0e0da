// Blocks of remote objects in files of a folder, one each, that any number of threads and processes use together:
//
//   FOLDER/ab/abcd…-N.block    the first 32 digits of the SHA-256 of the object's identity, the number of the block
//
//    0  "COLKBLK" 01
//    8  the whole SHA-256 of the identity
//   40  u32 number of the block
//   44  u32 length of the block
//   48  u32 CRC-32 of the 48 bytes before and of the block
//   52  the block
//
// A file gets its name when it is whole. What is not as it should be is no block, and goes. The folder is never needed:
// what cannot be read is loaded again, what cannot be written is not kept.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../errors/system-error.ts';
import { warn } from '../../errors/warn.ts';
import { crc32 } from '../../values/crc32.ts';

const MAGIC = Uint8Array.of(0x43, 0x4f, 0x4c, 0x4b, 0x42, 0x4c, 0x4b, 1);
const DIGEST_AT = 8;
const NUMBER_AT = 40;
const LENGTH_AT = 44;
const CRC_AT = 48;
const HEADER_BYTES = 52;
/** A block that was read is as good as new; a look at every one would cost a call each. */
const TOUCHED_MS = 10 * 60 * 1000;
/** Temporary files of writers that died. */
const FORGOTTEN_MS = 60 * 60 * 1000;
/** After so much of the bound was written here, what others wrote is looked at too. */
const LOOKS = 16;

/** Folders of which this thread has told that they take no files. */
const told = new Set<string>();

/** Blocks by the identity of their object. */
export interface DiskBlocks {
  /** Null where there is none of that length. */
  read(identity: string, number: number, byteLength: number): Promise<Uint8Array | null>;
  write(identity: string, number: number, block: Uint8Array): Promise<void>;
}

export function openDiskBlocks(folder: string, most: number): DiskBlocks {
  return new BlockFolder(folder, most);
}

interface Found {
  readonly path: string;
  readonly byteLength: number;
  readonly time: number;
}

class BlockFolder implements DiskBlocks {
  readonly #folder: string;
  readonly #most: number;
  readonly #digests = new Map<string, Buffer>();
  /** Written here since the folder was looked at; Infinity: it never was. */
  #written = Infinity;
  #making: Promise<void> | null = null;
  #isBroken = false;

  constructor(folder: string, most: number) {
    this.#folder = folder;
    this.#most = most;
  }

  async read(identity: string, number: number, byteLength: number): Promise<Uint8Array | null> {
    const digest = this.#digestOf(identity);
    const path = this.#pathOf(digest, number);
    let bytes: Uint8Array;
    try {
      await using file = await open(path);
      const { size, mtimeMs } = await file.stat();
      bytes = new Uint8Array(size === HEADER_BYTES + byteLength ? size : 0);
      const { bytesRead } = await file.read(bytes);
      if (bytesRead < bytes.byteLength) bytes = new Uint8Array(0);
      else if (Date.now() - mtimeMs > TOUCHED_MS) await file.utimes(new Date(), new Date()).catch(() => undefined);
    } catch {
      return null;
    }
    if (isBlock(bytes, digest, number)) return bytes.subarray(HEADER_BYTES);
    await unlink(path).catch(() => undefined);
    return null;
  }

  async write(identity: string, number: number, block: Uint8Array): Promise<void> {
    if (this.#isBroken || block.byteLength + HEADER_BYTES > this.#most) return;
    const digest = this.#digestOf(identity);
    const path = this.#pathOf(digest, number);
    const temporary = `${path}.${randomUUID()}.tmp`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await writeFile(temporary, fileOf(block, digest, number), { mode: 0o600, flag: 'wx' });
      await rename(temporary, path);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      // On Windows nobody replaces a file that is being read: it is that block.
      if (await stat(path).catch(() => null)) return;
      this.#isBroken = true;
      this.#tell(messageOf(error));
      return;
    }
    this.#written += HEADER_BYTES + block.byteLength;
    if (this.#written > this.#most / LOOKS) await (this.#making ??= this.#makeRoom());
  }

  /** Once: a program that opens a file for each request would fill its log. */
  #tell(why: string): void {
    if (told.has(this.#folder)) return;
    told.add(this.#folder);
    warn('COLKIT_CACHE', `${this.#folder}: nothing is kept there: ${why}`, 'Name another cache.folder.');
  }

  /** What was used longest ago goes, where there is too much; a tenth more than must. */
  async #makeRoom(): Promise<void> {
    this.#written = 0;
    try {
      const found = await filesOf(this.#folder);
      let total = found.reduce((sum, { byteLength }) => sum + byteLength, 0);
      if (total <= this.#most) return;
      for (const { path, byteLength } of found.sort((one, other) => one.time - other.time)) {
        if (total <= this.#most * 0.9) return;
        await unlink(path).catch(() => undefined);
        total -= byteLength;
      }
    } catch {
      // Somebody took the folder away.
    } finally {
      this.#making = null;
    }
  }

  #digestOf(identity: string): Buffer {
    let digest = this.#digests.get(identity);
    if (digest === undefined) {
      digest = createHash('sha256').update(identity).digest();
      this.#digests.set(identity, digest);
    }
    return digest;
  }

  #pathOf(digest: Buffer, number: number): string {
    const name = digest.toString('hex').slice(0, 32);
    return join(this.#folder, name.slice(0, 2), `${name}-${String(number)}.block`);
  }
}

function fileOf(block: Uint8Array, digest: Uint8Array, number: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + block.byteLength);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  bytes.set(digest, DIGEST_AT);
  view.setUint32(NUMBER_AT, number, true);
  view.setUint32(LENGTH_AT, block.byteLength, true);
  bytes.set(block, HEADER_BYTES);
  view.setUint32(CRC_AT, crcOf(bytes), true);
  return bytes;
}

function isBlock(bytes: Uint8Array, digest: Uint8Array, number: number): boolean {
  if (bytes.byteLength < HEADER_BYTES) return false;
  const view = new DataView(bytes.buffer);
  return (
    MAGIC.every((byte, k) => bytes[k] === byte) &&
    digest.every((byte, k) => bytes[DIGEST_AT + k] === byte) &&
    view.getUint32(NUMBER_AT, true) === number &&
    view.getUint32(LENGTH_AT, true) === bytes.byteLength - HEADER_BYTES &&
    view.getUint32(CRC_AT, true) === crcOf(bytes)
  );
}

function crcOf(bytes: Uint8Array): number {
  return crc32(bytes.subarray(HEADER_BYTES), crc32(bytes.subarray(0, CRC_AT)));
}

/** All blocks; what a writer that died left goes. Files of other names are somebody else's. */
async function filesOf(folder: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const inner of await readdir(folder, { withFileTypes: true })) {
    if (!inner.isDirectory() || !/^[0-9a-f]{2}$/u.test(inner.name)) continue;
    for (const name of await readdir(join(folder, inner.name)).catch(() => [])) {
      if (!/^[0-9a-f]{32}-\d+\.block(?:\.[0-9a-f-]{36}\.tmp)?$/u.test(name)) continue;
      const path = join(folder, inner.name, name);
      const facts = await stat(path).catch(() => null);
      if (facts === null) continue;
      if (!name.endsWith('.tmp')) found.push({ path, byteLength: facts.size, time: facts.mtimeMs });
      else if (Date.now() - facts.mtimeMs > FORGOTTEN_MS) await unlink(path).catch(() => undefined);
    }
  }
  return found;
}

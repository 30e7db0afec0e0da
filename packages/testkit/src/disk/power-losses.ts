// A history -> the states that a power failure may leave. What was synced is there. Of what was not, anything may be:
// each sector, page or whole write of a file, older ones over newer ones, the length without the bytes (zeros, or what
// the disk held there before), and each change of names, of a length and of permissions by itself. File systems promise
// more (an order of names, say), each something else; a writer that survives this survives them all.
//
// A failure can only come before a sync ends or at the end of the history: whatever it may leave at another moment, it
// may also leave at the next of these, where no less has to be found. So these are the moments that are looked at.
import type { Random } from '../data/prng.ts';
import { createRandom, shuffled } from '../data/prng.ts';
import type { Change, DiskState, History, Node } from './history.ts';
import { folderOf, resized } from './history.ts';

export interface PowerLossOptions {
  /** How many states to draw at random at each moment, and the most of each kind that is walked in order. */
  readonly samples: number;
  readonly seed: number;
  /** The change from which on failures come: what was placed before them is there. */
  readonly from?: number;
}

export interface PowerLoss {
  readonly state: DiskState;
  /** What has to be found at least. */
  readonly least: number;
  /** For the message of a failed check. */
  describe(): string;
}

/** One thing that the disk has or has not. */
type Unit = { readonly index: number; readonly change: Change };

/** Which units are kept, in which order, and what files hold where they were not. */
interface Choice {
  readonly label: string;
  readonly units: readonly Unit[];
  /** How long files are: as far as kept bytes reach, or as they were for the writer. */
  readonly lengths: 'kept' | 'written';
  readonly fill: number;
}

const SECTOR_BYTES = 512;
const PAGE_BYTES = 4096;
const GRAINS = [Infinity, PAGE_BYTES, SECTOR_BYTES];
/** Up to so many units, all their subsets. */
const EXHAUSTIVE_UNITS = 8;
/** What a disk holds where nothing was written: zeros, or something of before. */
const FILLS = [0, 0xa5];

export function* powerLosses(history: History, options: PowerLossOptions): Generator<PowerLoss> {
  const random = createRandom(options.seed);
  for (const { count, least } of moments(history.changes, options.from ?? 0)) {
    const before = history.changes.slice(0, count);
    const pending = pendingOf(before);
    const base = new Disk(history);
    const uncertain = new Set(pending.map(({ index }) => index));
    before.forEach((change, index) => {
      if (!uncertain.has(index)) base.make(change, 0);
    });
    const lengths = lengthsOf(before);
    for (const choice of choices(pending, random, options.samples)) {
      const moment = `${momentName(history, count)}, seed ${options.seed}`;
      const describe = (): string => `${moment}: ${choiceName(choice)}, of ${pending.length} unsynced changes`;
      yield { state: stateOf(base, lengths, choice), least, describe };
    }
  }
}

/** The number of changes by then, and what has to be found at least. */
export interface Moment {
  readonly count: number;
  readonly least: number;
}

/** Before each sync, and at the end. */
export function moments(changes: readonly Change[], from: number): Moment[] {
  const found: Moment[] = [];
  let least = 0;
  changes.forEach((change, index) => {
    const isSync = change.kind === 'syncFile' || change.kind === 'syncFolder';
    if (isSync && index >= from) found.push({ count: index, least });
    if (change.kind === 'promise') least = change.least;
  });
  found.push({ count: changes.length, least });
  return found;
}

/** The changes that no sync behind them covers. */
function pendingOf(done: readonly Change[]): Unit[] {
  const syncedFiles = new Set<number>();
  const syncedFolders = new Set<string>();
  const pending: Unit[] = [];
  for (let index = done.length - 1; index >= 0; index--) {
    const change = done[index]!;
    if (change.kind === 'syncFile') syncedFiles.add(change.file);
    else if (change.kind === 'syncFolder') syncedFolders.add(change.path);
    else if (change.kind === 'lostFile') syncedFiles.delete(change.file);
    else if (change.kind === 'lostFolder') syncedFolders.delete(change.path);
    else if (!isSynced(change, syncedFiles, syncedFolders)) pending.push({ index, change });
  }
  return pending.reverse();
}

function isSynced(change: Change, files: ReadonlySet<number>, folders: ReadonlySet<string>): boolean {
  switch (change.kind) {
    case 'write':
    case 'truncate':
    case 'setMode':
      return files.has(change.file);
    case 'enter':
    case 'remove':
      return folders.has(folderOf(change.path));
    // A move between folders is there when both know of it.
    case 'move':
      return folders.has(folderOf(change.path)) && folders.has(folderOf(change.from));
    default:
      return true;
  }
}

function* choices(pending: readonly Unit[], random: Random, samples: number): Generator<Choice> {
  for (const subset of subsets(pending, random, samples)) {
    for (const lengths of ['kept', 'written'] as const) yield { ...subset, lengths, fill: 0 };
  }
  const grains = GRAINS.map((grain) => cut(pending, grain));
  for (let k = 0; k < samples; k++) {
    const units = random.pick(grains);
    const density = random.pick([0.1, 0.5, 0.9]);
    const kept = units.filter(() => random.number() < density);
    const ordered = random.number() < 0.5 ? kept : reordered(kept, random);
    yield { label: `random ${k}`, units: ordered, lengths: random.pick(['kept', 'written']), fill: random.pick(FILLS) };
  }
}

/** The subsets that tell most: all of few; else none, all, one missing, one alone, the oldest, the newest. */
function* subsets(pending: readonly Unit[], random: Random, most: number): Generator<Omit<Choice, 'lengths' | 'fill'>> {
  yield { label: 'nothing', units: [] };
  if (pending.length === 0) return;
  yield { label: 'everything', units: pending };
  yield* byParts(pending, random, most);
  let before = 0;
  for (const grain of GRAINS) {
    const units = cut(pending, grain);
    if (units.length === before) continue;
    before = units.length;
    if (units.length <= EXHAUSTIVE_UNITS) {
      for (let bits = 1; bits < 2 ** units.length - 1; bits++) {
        yield { label: `subset ${bits}`, units: units.filter((_, k) => (bits >> k) % 2 === 1) };
      }
      continue;
    }
    for (const k of some(units.length, random, most)) {
      yield { label: `without ${k}`, units: units.filter((_, other) => other !== k) };
      yield { label: `only ${k}`, units: units.slice(k, k + 1) };
      yield { label: `the oldest ${k}`, units: units.slice(0, k) };
      yield { label: `the newest ${units.length - k}`, units: units.slice(k) };
    }
  }
}

/** Each file's bytes together, and each change of names: disks often keep all of one and nothing of another. */
function* byParts(pending: readonly Unit[], random: Random, most: number): Generator<Omit<Choice, 'lengths' | 'fill'>> {
  const partOf = ({ change, index }: Unit): string =>
    change.kind === 'write' ? `file ${change.file}` : `change ${index}`;
  const parts = [...new Set(pending.map(partOf))];
  const count = 2 ** Math.min(parts.length, 30);
  for (const bits of some(count, random, Math.max(most, 2 ** EXHAUSTIVE_UNITS))) {
    const kept = new Set(parts.filter((_, k) => Math.floor(bits / 2 ** k) % 2 === 1));
    yield { label: `parts ${bits}`, units: pending.filter((unit) => kept.has(partOf(unit))) };
  }
}

/** All numbers below `count`, or `most` of them, the first and the last among them. */
function some(count: number, random: Random, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, k) => k);
  const drawn = Array.from({ length: most - 2 }, () => random.integer(count));
  return [...new Set([0, count - 1, ...drawn])].sort((a, b) => a - b);
}

/** Writes in pieces at multiples of `grain` bytes: a disk writes sectors whole, and a cache pages. */
function cut(pending: readonly Unit[], grain: number): Unit[] {
  if (grain === Infinity) return [...pending];
  return pending.flatMap((unit) => {
    const { change } = unit;
    if (change.kind !== 'write') return [unit];
    const pieces: Unit[] = [];
    for (let at = 0; at < change.bytes.length; ) {
      const byteOffset = change.byteOffset + at;
      const end = Math.min(change.bytes.length, at + grain - (byteOffset % grain));
      pieces.push({ index: unit.index, change: { ...change, byteOffset, bytes: change.bytes.subarray(at, end) } });
      at = end;
    }
    return pieces;
  });
}

/** Writes of a file in another order, between the changes of its length. Names keep theirs: they are one structure. */
function reordered(units: readonly Unit[], random: Random): Unit[] {
  const runs = new Map<string, number[]>();
  const cuts = new Map<number, number>();
  units.forEach(({ change }, k) => {
    if (change.kind === 'truncate') cuts.set(change.file, (cuts.get(change.file) ?? 0) + 1);
    if (change.kind !== 'write') return;
    const run = `${change.file} ${cuts.get(change.file) ?? 0}`;
    runs.set(run, [...(runs.get(run) ?? []), k]);
  });
  const result = [...units];
  for (const ranges of runs.values()) {
    shuffled(random, ranges.length).forEach((from, to) => {
      result[ranges[to]!] = units[ranges[from]!]!;
    });
  }
  return result;
}

/** What was synced, and then (all of it came earlier, file by file) the units of a choice in their order. */
function stateOf(base: Disk, lengths: ReadonlyMap<number, number>, choice: Choice): DiskState {
  const disk = base.copy();
  for (const { change } of choice.units) disk.make(change, choice.fill);
  if (choice.lengths === 'written') for (const [file, length] of lengths) disk.extend(file, length, choice.fill);
  return disk.state();
}

/** How long each file is for whoever wrote it. */
function lengthsOf(changes: readonly Change[]): Map<number, number> {
  const lengths = new Map<number, number>();
  for (const change of changes) {
    if (change.kind === 'truncate') lengths.set(change.file, change.byteLength);
    if (change.kind !== 'write') continue;
    lengths.set(change.file, Math.max(lengths.get(change.file) ?? 0, change.byteOffset + change.bytes.length));
  }
  return lengths;
}

/** A file whose bytes can be written over; a copy shares them until then. */
class Content {
  mode: number;
  #bytes: Uint8Array;
  #length: number;
  #isShared: boolean;

  constructor(mode: number, bytes: Uint8Array = new Uint8Array(0), length = 0) {
    this.mode = mode;
    this.#bytes = bytes;
    this.#length = length;
    this.#isShared = true;
  }

  get length(): number {
    return this.#length;
  }

  copy(): Content {
    this.#isShared = true;
    return new Content(this.mode, this.#bytes, this.#length);
  }

  write(bytes: Uint8Array, byteOffset: number, fill: number): void {
    this.resize(Math.max(this.#length, byteOffset + bytes.length), fill);
    this.#own(this.#length);
    this.#bytes.set(bytes, byteOffset);
  }

  resize(length: number, fill: number): void {
    if (length > this.#length) {
      this.#own(length);
      this.#bytes.fill(fill, this.#length, length);
    }
    this.#length = length;
  }

  bytes(): Uint8Array {
    this.#isShared = true;
    return this.#bytes.subarray(0, this.#length);
  }

  #own(length: number): void {
    if (!this.#isShared && length <= this.#bytes.length) return;
    this.#bytes = resized(this.#bytes.subarray(0, this.#length), length <= this.#bytes.length ? length : 2 * length);
    this.#isShared = false;
  }
}

class Disk {
  readonly #history: History;
  readonly #names: Map<string, number>;
  readonly #files: Map<number, Content>;

  constructor(history: History, names = new Map<string, number>(), files = new Map<number, Content>()) {
    this.#history = history;
    this.#names = names;
    this.#files = files;
  }

  copy(): Disk {
    const files = new Map([...this.#files].map(([file, content]) => [file, content.copy()]));
    return new Disk(this.#history, new Map(this.#names), files);
  }

  make(change: Change, fill: number): void {
    switch (change.kind) {
      case 'write':
        this.#file(change.file).write(change.bytes, change.byteOffset, fill);
        break;
      case 'truncate':
        this.#file(change.file).resize(change.byteLength, fill);
        break;
      case 'setMode':
        this.#file(change.file).mode = change.mode;
        break;
      case 'enter':
        this.#names.set(change.path, change.file);
        break;
      case 'remove':
        this.#names.delete(change.path);
        break;
      case 'move':
        if (this.#names.get(change.from) === change.file) this.#names.delete(change.from);
        this.#names.set(change.path, change.file);
        break;
      default:
    }
  }

  extend(file: number, byteLength: number, fill: number): void {
    const content = this.#file(file);
    if (content.length < byteLength) content.resize(byteLength, fill);
  }

  state(): DiskState {
    const files = new Map<number, Node>();
    for (const file of new Set(this.#names.values())) {
      const content = this.#file(file);
      files.set(file, { isFolder: this.#history.isFolder(file), mode: content.mode, bytes: content.bytes() });
    }
    return { names: this.#names, files };
  }

  #file(file: number): Content {
    const content = this.#files.get(file) ?? new Content(this.#history.firstMode(file));
    this.#files.set(file, content);
    return content;
  }
}

function choiceName({ label, lengths, units }: Choice): string {
  const length = lengths === 'kept' ? 'no longer than what is kept' : 'as long as written';
  return `${label}, ${length}; on the disk: ${units.map((unit) => unitName(unit)).join(', ') || 'nothing'}`;
}

function momentName({ changes }: History, count: number): string {
  const change = changes[count];
  return change === undefined ? 'at the end' : `before ${unitName({ index: count, change })}`;
}

function unitName({ index, change }: Unit): string {
  switch (change.kind) {
    case 'write':
      return `${index}: ${change.bytes.length} bytes at ${change.byteOffset} of file ${change.file}`;
    case 'truncate':
      return `${index}: file ${change.file} cut to ${change.byteLength}`;
    case 'setMode':
      return `${index}: mode ${change.mode.toString(8)} of file ${change.file}`;
    case 'enter':
      return `${index}: ${nameOf(change.path)} = file ${change.file}`;
    case 'move':
      return `${index}: ${nameOf(change.from)} -> ${nameOf(change.path)}`;
    case 'remove':
      return `${index}: ${nameOf(change.path)} removed`;
    case 'syncFile':
      return `${index}: sync of file ${change.file}`;
    case 'syncFolder':
      return `${index}: sync of a folder`;
    case 'lostFile':
      return `${index}: failed sync of file ${change.file}`;
    case 'lostFolder':
      return `${index}: failed sync of a folder`;
    case 'promise':
      return `${index}: promise of ${change.least}`;
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

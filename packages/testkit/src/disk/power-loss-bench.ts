// A writer of a format on a disk that loses power, again and again: what the power-loss tests of the formats share. A
// format says how its writers work, what is found on a disk, and whether that keeps what was promised.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RecordingDisk, materialize, quickFolder } from './recording-disk.ts';
import type { RecordingDiskOptions } from './recording-disk.ts';
import { needlessSyncs, survive } from './survival.ts';
import type { Survival } from './survival.ts';

export interface PowerLossWriter {
  readonly name: string;
  /** What is there before the disk is watched. */
  readonly prepare?: () => void;
  readonly work: (disk: RecordingDisk) => Promise<void>;
  /** What is met after a power failure, all of it. */
  readonly outcomes: readonly string[];
  /** The syncs that are not needed here, but elsewhere. */
  readonly spare?: readonly string[];
  /** What link() answers: the code of a file system that has no hard links. */
  readonly noLinks?: string;
}

export interface PowerLossFormat<W extends PowerLossWriter, T> {
  /** The name of the file that is written. */
  readonly fileName: string;
  /** What is found on a disk after the power came back, and what recovering makes of it. */
  readonly look: (path: string) => T;
  /** A word for the outcome. @throws Error where it breaks a promise. */
  readonly judge: (found: T, least: number, writer: W) => string;
  /** An error that a writer may end with where the disk fails it. */
  readonly isExpected: (error: unknown) => boolean;
}

const SAMPLES = 8;

export class PowerLossBench<W extends PowerLossWriter, T> {
  /** Where writers write. */
  readonly path: string;
  readonly #root: string;
  readonly #folder: string;
  readonly #format: PowerLossFormat<W, T>;
  readonly #known = new Map<string, T>();

  constructor(name: string, format: PowerLossFormat<W, T>) {
    this.#root = quickFolder(`${name}-power-`);
    this.#folder = join(this.#root, 'writer');
    this.path = join(this.#folder, format.fileName);
    this.#format = format;
  }

  /** At the end of the tests. */
  remove(): void {
    rmSync(this.#root, { recursive: true });
  }

  /** What is met, sorted. @throws BrokenPromise. */
  async outcomes(writer: W): Promise<string[]> {
    const disk = this.#disk(writer, {});
    await writer.work(disk);
    disk.checkComplete();
    return [...survive(disk, this.#survival(disk, writer)).keys()].sort();
  }

  /** The syncs that nobody would miss. */
  async needlessSyncs(writer: W): Promise<readonly string[]> {
    const record = async (forget: number | null): Promise<RecordingDisk> => {
      const disk = this.#disk(writer, { forget });
      await writer.work(disk);
      disk.checkComplete();
      return disk;
    };
    const { needless, all } = await needlessSyncs(record, (disk) => this.#survival(disk, writer));
    if (all.length === 0) throw new Error('nothing is synced');
    return needless;
  }

  /**
   * Each sync fails once, and what it should have brought to the disk is lost whatever is synced later.
   * @returns the failures that the writer did not tell of.
   * @throws BrokenPromise where something is lost that was promised before.
   */
  async unreportedFailures(writer: W): Promise<string[]> {
    const unreported: string[] = [];
    for (let fail = 0; ; fail++) {
      const disk = this.#disk(writer, { fail });
      let isReported = false;
      try {
        await writer.work(disk);
      } catch (error) {
        if (!this.#format.isExpected(error)) throw error;
        isReported = true;
      }
      const what = disk.syncs[fail];
      if (what === undefined) return unreported;
      if (!isReported) unreported.push(`${fail}: ${what}`);
      disk.checkComplete();
      survive(disk, this.#survival(disk, writer));
    }
  }

  #disk(writer: W, options: RecordingDiskOptions): RecordingDisk {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder);
    writer.prepare?.();
    const { noLinks } = writer;
    return new RecordingDisk(this.#folder, noLinks === undefined ? options : { ...options, noLinks });
  }

  #survival(disk: RecordingDisk, writer: W): Survival<T> {
    const after = join(this.#root, 'after');
    const { fileName, look, judge } = this.#format;
    return {
      samples: SAMPLES,
      known: this.#known,
      look: (state) => {
        materialize(state, disk.folder, after);
        return look(join(after, fileName));
      },
      judge: (found, least) => judge(found, least, writer),
    };
  }
}

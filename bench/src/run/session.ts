// Candidates with their processes: built, prepared, loaded, and asked in turn. Only one of them ever works at a time.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from '../cache-folder.ts';
import { CandidateProcess } from './candidate-process.ts';
import type { Candidate, FoundPeer } from './candidates.ts';
import { countHugePages, countProcess } from '../report/machine.ts';
import type { ProcessCounts } from '../report/machine.ts';
import type { SuiteContext } from '../checkouts/peer.ts';
import type { Progress } from './progress.ts';
import type { Prepared } from './protocol.ts';
import type { CandidateFacts } from '../report/results.ts';
import type { Suite, SuiteData } from '../suite.ts';

/** Raised when what a suite generates changes. */
const DATA_VERSION = '2';

/** A suite's data on disk, and where each peer keeps its own files of it. */
export interface Data {
  readonly suite: string;
  context(peer: string): SuiteContext;
}

/** Writes a suite's raw columns, once. */
export async function prepareData(
  suite: Suite,
  data: SuiteData,
  cacheFolder: string,
  progress: Progress,
): Promise<Data> {
  const root = join(cacheFolder, `${suite.name}-${data.name}`);
  const directory = join(root, 'raw');
  await makeOnce(directory, DATA_VERSION, async () => {
    await suite.generate(data.parameters, directory, progress);
    progress.done(`${suite.name}: data ${data.name} written`);
  });
  return {
    suite: suite.name,
    context: (peer) => ({ directory, ownDirectory: join(root, peer), parameters: data.parameters }),
  };
}

/** Lets a peer write its own files, once for each of its versions. */
export async function buildPeerFiles(data: Data, peer: FoundPeer, progress: Progress): Promise<void> {
  const { description, file } = peer;
  const { command } = file;
  if (command === null) return;
  const context = data.context(description.name);
  const version = Object.entries(description.versions)
    .map(([name, found]) => `${name}-${found}`)
    .join('_')
    .replace(/[^\w.-]/g, '-');
  await makeOnce(context.ownDirectory, version, async () => {
    progress.update(`${data.suite}: ${description.name} writes its files`);
    const child = new CandidateProcess(description.name, command);
    try {
      await child.request({ op: 'build', suite: data.suite, context });
    } finally {
      await child.stop();
    }
  });
}

/** A candidate that is ready to be asked. */
export class Contestant {
  readonly candidate: Candidate;
  readonly process: CandidateProcess;
  readonly prepared: Prepared;
  #loadNs = 0;
  #peakAnonymousBytes: number | null = null;

  private constructor(candidate: Candidate, process: CandidateProcess, prepared: Prepared) {
    this.candidate = candidate;
    this.process = process;
    this.prepared = prepared;
  }

  /** Starts the process and reads the inputs; the data is not open yet. */
  static async start(candidate: Candidate, data: Data): Promise<Contestant> {
    const process = new CandidateProcess(candidate.id, candidate.command);
    const context = data.context(candidate.peer);
    mkdirSync(context.ownDirectory, { recursive: true });
    try {
      return new Contestant(
        candidate,
        process,
        await process.request({ op: 'prepare', suite: data.suite, variant: candidate.variant, context }),
      );
    } catch (error) {
      await process.stop();
      throw error;
    }
  }

  get id(): string {
    return this.candidate.id;
  }

  /** Opens the data; resolves to the nanoseconds that it took. */
  async load(): Promise<number> {
    this.#loadNs = await this.process.request({ op: 'load' });
    return this.#loadNs;
  }

  taskKind(name: string): 'sync' | 'async' | null {
    return this.prepared.tasks.find((task) => task.name === name)?.kind ?? null;
  }

  /** The process's counts now; its memory is noted. Null where the system does not tell. */
  count(): ProcessCounts | null {
    const counts = this.process.pid === undefined ? null : countProcess(this.process.pid);
    if (counts !== null) this.#peakAnonymousBytes = Math.max(this.#peakAnonymousBytes ?? 0, counts.anonymousBytes);
    return counts;
  }

  /** Null where the process has ended: its tasks' measurements say why. */
  async facts(run: string): Promise<CandidateFacts | null> {
    const memory = await this.process.request({ op: 'memory' }).catch(() => null);
    if (memory === null) return null;
    const counts = this.count();
    const hugePages = this.process.pid === undefined ? null : countHugePages(this.process.pid);
    return {
      loadNs: this.#loadNs,
      fileBytes: sizeOf(this.prepared.files),
      peakRssBytes: counts?.peakRssBytes ?? memory.peakRssBytes,
      peakAnonymousBytes: this.#peakAnonymousBytes,
      hugePages,
      run,
    };
  }
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, path) => sum + statSync(path).size, 0);
}

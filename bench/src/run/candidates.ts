// Finds the peers: every module in dist/peers, every program in peers/python, and files named on the command line. Asks
// each what it is; who cannot run is kept, with the reason.
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { CandidateProcess } from './candidate-process.ts';
import type { Command } from './candidate-process.ts';
import { PACKAGE_FOLDER } from '../checkouts/package-folder.ts';
import type { Description } from './protocol.ts';

const PYTHON_VARIABLE = 'COLKIT_PYTHON';

/** One peer file and how to run it. */
export interface PeerFile {
  /**
   * The file's name without its ending, `_` as `-`: what a peer that cannot run is called, so a peer's name had better
   * be the same.
   */
  readonly fileName: string;
  /** Null where nothing here can run it; `missing` says why then. */
  readonly command: Command | null;
  readonly missing: string | null;
}

export interface FoundPeer {
  readonly file: PeerFile;
  readonly description: Description;
}

/** One variant of one peer: what gets a process of its own and a row in the tables. */
export interface Candidate {
  /** `peer/variant`. */
  readonly id: string;
  readonly peer: string;
  readonly variant: string;
  readonly command: Command;
}

/** The peer files of this package and those given by path, in a fixed order. */
export function listPeerFiles(given: readonly string[], environment: NodeJS.ProcessEnv = process.env): PeerFile[] {
  const node = listFolder(join(PACKAGE_FOLDER, 'dist', 'peers'), '.js');
  const python = listFolder(join(PACKAGE_FOLDER, 'peers', 'python'), '.py').filter(
    (path) => !basename(path).startsWith('_'),
  );
  return [...node, ...python, ...given.map((path) => resolve(environment['INIT_CWD'] ?? '.', path))].map((path) =>
    peerFile(path, environment),
  );
}

/** How a file is run, by its ending. `added` goes into the environment of its process. */
export function peerFile(
  path: string,
  environment: NodeJS.ProcessEnv = process.env,
  added: Readonly<Record<string, string>> = {},
): PeerFile {
  const fileName = basename(path)
    .replace(/\.(m?js|py)$/, '')
    .replaceAll('_', '-');
  if (!path.endsWith('.py')) {
    const child = join(PACKAGE_FOLDER, 'dist', 'child.js');
    return {
      fileName,
      command: { program: process.execPath, parameters: ['--expose-gc', child, path], environment: added },
      missing: null,
    };
  }
  const python = environment[PYTHON_VARIABLE];
  if (python === undefined || python === '')
    return {
      fileName,
      command: null,
      missing: `no Python is given: set ${PYTHON_VARIABLE} to one that has this peer installed`,
    };
  return {
    fileName,
    command: { program: python, parameters: [path], environment: { PYTHONDONTWRITEBYTECODE: '1', ...added } },
    missing: null,
  };
}

/** Starts each peer once and asks what it is. Never throws for a peer that cannot run: its description says why. */
export async function describePeers(files: readonly PeerFile[]): Promise<FoundPeer[]> {
  const found: FoundPeer[] = [];
  for (const file of files) found.push({ file, description: await describePeer(file) });
  return found;
}

async function describePeer(file: PeerFile): Promise<Description> {
  const nothing = { name: file.fileName, onRequest: false, versions: {}, suites: {} };
  if (file.command === null) return { ...nothing, missing: file.missing };
  const child = new CandidateProcess(file.fileName, file.command, 60_000);
  try {
    return await child.request({ op: 'describe' });
  } catch (error) {
    return { ...nothing, missing: (error as Error).message };
  } finally {
    await child.stop();
  }
}

/**
 * The candidates of a suite among the peers that can run. `wanted` are names: a peer, `peer/variant`, or either with a
 * `*`; empty means all that do not wait to be named.
 */
export function selectCandidates(peers: readonly FoundPeer[], suite: string, wanted: readonly string[]): Candidate[] {
  const patterns = wanted.map(pattern);
  return peers.flatMap(({ file, description }) => {
    const { name, missing, onRequest, suites } = description;
    const { command } = file;
    if (missing !== null || command === null) return [];
    return (suites[suite] ?? [])
      .map((variant) => ({ id: `${name}/${variant}`, peer: name, variant, command }))
      .filter(({ id }) =>
        patterns.length === 0 ? !onRequest : patterns.some((wish) => wish.test(id) || wish.test(name)),
      );
  });
}

/** The names among `wanted` that no peer answers to, able to run or not. */
export function unknownNames(peers: readonly FoundPeer[], wanted: readonly string[]): string[] {
  const names = peers.flatMap(({ description: { name, suites } }) => [
    name,
    ...Object.values(suites).flatMap((variants) => variants.map((variant) => `${name}/${variant}`)),
  ]);
  return wanted.filter((wish) => !names.some((name) => pattern(wish).test(name)));
}

function pattern(wish: string): RegExp {
  return new RegExp(
    `^${wish
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );
}

function listFolder(folder: string, ending: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

// The facts without which a number means nothing: machine, system, versions, the state of this repository.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly platform: string;
  readonly kernel: string;
  /** The selected word of /sys/kernel/mm/transparent_hugepage/enabled, or null where there is none. */
  readonly transparentHugePages: string | null;
  readonly node: string;
}

export interface Revision {
  readonly commit: string | null;
  /** Whether tracked files differ from it. */
  readonly modified: boolean;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    platform: `${process.platform}-${process.arch}`,
    kernel: release(),
    transparentHugePages: /\[(\w+)\]/.exec(readText('/sys/kernel/mm/transparent_hugepage/enabled') ?? '')?.[1] ?? null,
    node: process.versions.node,
  };
}

/** A name for file names: `amd-epyc-2-cores`. */
export function machineName(machine: Machine): string {
  const cpu = machine.cpu
    .toLowerCase()
    .replace(/\((r|tm)\)/g, '')
    .replace(/\b(cpu|processor|with|\d+-core|@.*)\b/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${cpu === '' ? machine.platform : cpu}-${machine.cores}-cores`;
}

export function describeRevision(folder: string): Revision {
  const git = (...parameters: string[]): string | null => {
    const { status, stdout } = spawnSync('git', ['-C', folder, ...parameters], { encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  return {
    commit: git('rev-parse', 'HEAD'),
    modified: (git('status', '--porcelain', '--untracked-files=no') ?? '') !== '',
  };
}

/** A process's memory and reads so far, as the kernel counts them. */
export interface ProcessCounts {
  readonly peakRssBytes: number;
  /** Memory of its own, without the pages of mapped files. */
  readonly anonymousBytes: number;
  /** Bytes asked for by read calls (page cache hits too; mapped reads not), and bytes that came from storage. */
  readonly readCallBytes: number;
  readonly storageReadBytes: number;
}

/** What of a process lies in pages of 2 MiB: of its mapped files, and of its own memory. */
export interface HugePages {
  readonly fileBytes: number;
  readonly anonymousBytes: number;
}

/** Null where the system does not tell (anything but Linux), or the process is gone. Cheap. */
export function countProcess(pid: number): ProcessCounts | null {
  const status = readText(`/proc/${pid}/status`);
  const io = readText(`/proc/${pid}/io`);
  if (status === null || io === null) return null;
  return {
    peakRssBytes: field(status, 'VmHWM') * 1024,
    anonymousBytes: field(status, 'RssAnon') * 1024,
    readCallBytes: field(io, 'rchar'),
    storageReadBytes: field(io, 'read_bytes'),
  };
}

/** Null where the system does not tell. Walks all of the process's pages. */
export function countHugePages(pid: number): HugePages | null {
  const smaps = readText(`/proc/${pid}/smaps_rollup`);
  return smaps === null
    ? null
    : { fileBytes: field(smaps, 'FilePmdMapped') * 1024, anonymousBytes: field(smaps, 'AnonHugePages') * 1024 };
}

function field(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

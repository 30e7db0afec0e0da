// What browsers get in place of the parts that need Node: sources without files, gathers and memory in TypeScript, and
// refusals that say why.
import { ALLOCATE_OPTIONS, allocateWith } from './memory/allocate.ts';
import type { AllocateOptions } from './memory/allocate.ts';
import { newArrayBuffer } from './memory/align.ts';
import { copyRangesByReads, copyRangesByReadsSync } from './gather/copy-ranges.ts';
import type { CopyRangesRequest } from './gather/copy-ranges.ts';
import type { PageDecoder } from './pages/page-program.ts';
import type { BackendInfo } from './backend/native.ts';
import type { TextInputKernels, EncodeKernels, NumberKernels } from './backend/number-kernels.ts';
import { noFiles } from './source/no-files.ts';
import { sourceOf } from './source/open-other-source.ts';
import type { Openable, ReadableHandle } from './source/open-other-source.ts';
import { checkOptions } from './options/index.ts';
import { chosenWorkers } from './backend/settings.ts';
import type { Sink } from './memory/sink.ts';
import type { RandomAccessSource, Reopening } from './source/source.ts';
import { loadedTarget, targetOf } from './source/reopen.ts';
import { SOURCE_OPTIONS } from './source/source-options.ts';
import type { OpenSourceOptions } from './source/source-options.ts';

/**
 * Opens a URL (a string too, relative to the page), a Blob, bytes, or a source.
 * @throws IoError ERR_NOT_FOUND, ERR_REMOTE_RANGE, ERR_READ; ArgumentError.
 */
export async function openSource(
  what: Openable | Reopening,
  options: OpenSourceOptions = {},
): Promise<RandomAccessSource> {
  checkOptions('openSource', SOURCE_OPTIONS, options);
  const target = await loadedTarget(what, options);
  const given = sourceOf(target.what);
  if (given !== null) return given;
  // What asks servers is loaded with the first URL, or handle.
  const { openInPage } = await import('./source/open-in-page.ts');
  return openInPage(target.what as string | URL | ReadableHandle, target.options);
}

/** Bytes and existing sources only. @throws UnsupportedError for anything else. */
export function openSourceSync(what: Openable | Reopening, options: OpenSourceOptions = {}): RandomAccessSource {
  checkOptions('openSourceSync', SOURCE_OPTIONS, options);
  const given = sourceOf(targetOf(what, options).what);
  if (given === null) throw noFiles('synchronous opening');
  return given;
}

/** Always throws UnsupportedError ERR_FEATURE: write to a MemorySink. */
export function openFileSink(): Promise<Sink> {
  return Promise.reject(noFiles('writing a file'));
}

/** Always throws UnsupportedError ERR_FEATURE. */
export function openFileSinkSync(): Sink {
  throw noFiles('writing a file');
}

/** Always throws UnsupportedError ERR_FEATURE. */
export function filePath(): string {
  throw noFiles('writing a file');
}

export async function copyRanges(source: RandomAccessSource, request: CopyRangesRequest): Promise<void> {
  return copyRangesByReads(source, request);
}

export function copyRangesSync(source: RandomAccessSource, request: CopyRangesRequest): void {
  copyRangesByReadsSync(source, request);
}

/** Always null: pages are decoded by whoever asked. */
export function pageDecoder(): PageDecoder | null {
  return null;
}

/** Always null. */
export function textInputKernels(): TextInputKernels | null {
  return null;
}

/** Always null. */
export function encodeKernels(): EncodeKernels | null {
  return null;
}

/** Always null. */
export function numberKernels(): NumberKernels | null {
  return null;
}

/** What all of today's browsers hold in one array. */
const MOST_BYTES = 2 ** 32;

/** One Uint8Array per length, zeroed; small ones share a buffer unless { transferable: true }. */
export function allocateOutputs(byteLengths: readonly number[], options?: AllocateOptions): Uint8Array[] {
  checkOptions('allocateOutputs', ALLOCATE_OPTIONS, options);
  return allocateWith(newArrayBuffer, newArrayBuffer, byteLengths, options?.transferable === true, MOST_BYTES);
}

/** Always the TypeScript backend. */
export function backendInfo(): BackendInfo {
  return { backend: 'js', reason: 'this is the build for browsers', path: null, tried: [] };
}

/** What `setMaxWorkers` set, else 1. */
export function maxWorkers(): number {
  return chosenWorkers() || 1;
}

// The only importer of @colkit/native: the addon where it is wanted and loads, and what to say where it does not.
import { isMainThread } from 'node:worker_threads';
import { loadNative } from '@colkit/native';
import type { Mapping, NativeBinding, NativeLookup, SegmentTable } from '@colkit/native';
import { IoError } from '../errors/errors.ts';
import { messageOf } from '../errors/system-error.ts';
import type { Backend } from './settings.ts';
import { chosenBackend, isTypeScriptChosen } from './settings.ts';
import { visibleText } from '../errors/visible-text.ts';

export type NativeMapping = Mapping;
export type NativeSegments = SegmentTable;
export type { NativeBinding };

/** What runs by default in this process, and why. */
export interface BackendInfo {
  readonly backend: 'native' | 'js';
  /** One sentence. */
  readonly reason: string;
  /** The addon's file, or null. */
  readonly path: string | null;
  /** Every file that was tried, with the loader's message. */
  readonly tried: readonly { readonly path: string; readonly error: string }[];
  /** The instruction set of the kernels, with the native backend. */
  readonly kernels?: 'baseline' | 'avx2' | 'avx512' | 'neon';
}

/**
 * The addon for a `backend` option, or null where TypeScript is to be used. Looked up once per thread, at the first
 * call.
 * @throws IoError ERR_NATIVE_UNAVAILABLE where 'native' was asked for and nothing loads, with everything that was
 * tried.
 */
export function nativeBinding(option?: Backend): NativeBinding | null {
  const { backend, by } = chosenBackend(option);
  if (backend === 'js') return null;
  const lookup = loadNative();
  if (lookup.binding === null) {
    if (backend === 'native') throw nativeUnavailable('load', '@colkit/native', `${by} asks for the native addon`);
    warnOnce(lookup);
  }
  return lookup.binding;
}

const warned = new WeakSet<NativeLookup>();

/**
 * Where a binary is published for this platform, running without it is slow by accident: said once, on the main thread.
 */
function warnOnce(lookup: NativeLookup): void {
  if (!lookup.isPublished || !isMainThread || warned.has(lookup)) return;
  warned.add(lookup);
  process.emitWarning(visibleText(`the native addon is not in use, so that reading is slower: ${lookup.reason}`), {
    type: 'ColkitWarning',
    code: 'COLKIT_NATIVE',
    detail: "COLKIT_BACKEND=js or setDefaultBackend('js') chooses TypeScript, and silences this.",
  });
}

/**
 * The addon where it is wanted and loads; null also where it was forced and is missing, for those who can do without.
 */
export function nativeBindingIfLoaded(): NativeBinding | null {
  return isTypeScriptChosen() ? null : loadNative().binding;
}

/** The error where something needs the addon: the reason and every path that was tried. */
function nativeUnavailable(operation: string, path: string, why: string): IoError {
  return new IoError('ERR_NATIVE_UNAVAILABLE', operation, path, `${why}, but ${whyNotNative()}`);
}

/** One sentence on why the addon is not in use. */
export function whyNotNative(option?: Backend): string {
  const { backend, by } = chosenBackend(option);
  if (backend === 'js') return `${by} turns the native addon off`;
  const { binding, reason, tried } = loadNative();
  if (binding !== null) return 'the native addon is loaded';
  return [
    `the native addon is not available: ${reason}`,
    ...tried.map((attempt) => `${attempt.path}: ${attempt.error}`),
  ].join('; tried ');
}

/**
 * Which backend runs by default in this process, and why. Never throws: where COLKIT_BACKEND=native cannot be met, the
 * reason says so.
 */
export function backendInfo(): BackendInfo {
  const choice = chosenOrReason();
  if (typeof choice === 'string') return { backend: 'js', reason: choice, path: null, tried: [] };
  if (choice.backend === 'js')
    return { backend: 'js', reason: `${choice.by} turns the native addon off`, path: null, tried: [] };
  const { binding, path, reason, tried: attempts } = loadNative();
  const tried = attempts.map((attempt) => ({ ...attempt }));
  if (binding !== null) return { backend: 'native', reason, path, tried, kernels: binding.cpuFeatures().kernels };
  const forced =
    choice.backend === 'native' ? `; ${choice.by} forces it, so that opening a file throws ERR_NATIVE_UNAVAILABLE` : '';
  return { backend: 'js', reason: `${reason}${forced}`, path: null, tried };
}

function chosenOrReason(): ReturnType<typeof chosenBackend> | string {
  try {
    return chosenBackend();
  } catch (error) {
    return messageOf(error);
  }
}

// openSource: from what a user has (a path, URL, bytes, a Blob) to a source, mapped where that is possible.
import { fileURLToPath } from 'node:url';
import { ArgumentError, IoError } from '../errors/errors.ts';
import { FileSource } from './file-source.ts';
import { MappedSource } from './mapped-source.ts';
import type { MappedSourceOptions } from './mapped-source.ts';
import { nativeBinding, whyNotNative } from '../backend/native.ts';
import { isHandle, sourceOf } from './open-other-source.ts';
import { openRemote } from './open-remote.ts';
import type { Openable, ReadableHandle } from './open-other-source.ts';
import { checkOptions } from '../options/index.ts';
import type { RandomAccessSource, Reopening } from './source.ts';
import { loadedTarget, targetOf } from './reopen.ts';
import type { Target } from './reopen.ts';
import { noSyncForm } from './source-checks.ts';
import { SOURCE_OPTIONS } from './source-options.ts';
import type { OpenSourceOptions } from './source-options.ts';
import { isUrl, remoteUrl } from './paths/remote-url.ts';
import { visibleUrl } from './paths/visible-url.ts';

/**
 * Opens a source; of a file, only its size is read (about 30 microseconds). A source that is passed is returned as it
 * is, or with what it leaves out; what its `reopen()` gave is opened again.
 * @throws IoError ERR_NOT_FOUND, ERR_READ, ERR_REMOTE_RANGE, ERR_NATIVE_UNAVAILABLE ({ io: 'mmap' } or { backend:
 * 'native' } without the addon); ArgumentError.
 */
export async function openSource(
  what: Openable | Reopening,
  options: OpenSourceOptions = {},
): Promise<RandomAccessSource> {
  checkOptions('openSource', SOURCE_OPTIONS, options);
  return openTarget(await loadedTarget(what, options));
}

async function openTarget({ what, options }: Target): Promise<RandomAccessSource> {
  const given = sourceOf(what);
  if (given !== null) return given;
  const where = what as string | URL | ReadableHandle;
  const remote = isHandle(where) ? where : remoteUrl(where);
  if (remote !== null) return openRemote(remote, options);
  const path = filePath(where as string | URL);
  const plan = planFile(path, options);
  return plan.mapped === null ? FileSource.open(path, plan.why) : MappedSource.open(path, plan.mapped);
}

/** The same for what can be read synchronously. @throws UnsupportedError ERR_FEATURE for a URL. */
export function openSourceSync(what: Openable | Reopening, options: OpenSourceOptions = {}): RandomAccessSource {
  checkOptions('openSourceSync', SOURCE_OPTIONS, options);
  const target = targetOf(what, options);
  const given = sourceOf(target.what);
  if (given !== null) return given;
  const where = target.what as string | URL | ReadableHandle;
  if (isHandle(where)) throw noSyncForm(where.name);
  if (remoteUrl(where) !== null) throw noSyncForm(visibleUrl(where));
  const path = filePath(where);
  const plan = planFile(path, target.options);
  return plan.mapped === null ? FileSource.openSync(path, plan.why) : MappedSource.openSync(path, plan.mapped);
}

interface FilePlan {
  /** Null: read by position, `why` tells those who ask for a view. */
  readonly mapped: MappedSourceOptions | null;
  readonly why: string;
}

function planFile(path: string, options: OpenSourceOptions): FilePlan {
  const io = options.io ?? 'auto';
  const binding = nativeBinding(options.backend);
  if (io === 'pread') return { mapped: null, why: "it was opened with { io: 'pread' }" };
  if (binding === null) {
    const why = whyNotNative(options.backend);
    if (io === 'mmap')
      throw new IoError('ERR_NATIVE_UNAVAILABLE', 'open', path, `{ io: 'mmap' } needs the native addon, but ${why}`);
    return { mapped: null, why };
  }
  const { madvise, backend } = options;
  const mapped: MappedSourceOptions = {
    ...(madvise === undefined ? {} : { madvise }),
    ...(backend === undefined ? {} : { backend }),
    unmappable: io === 'mmap' ? 'throw' : 'read',
  };
  return { mapped, why: '' };
}

function filePath(where: string | URL): string {
  if (typeof where === 'string' && !isUrl(where)) return where;
  try {
    return fileURLToPath(where);
  } catch {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'what',
      'a path or a file:, http:, https:, blob: or data: URL',
      visibleUrl(where),
    );
  }
}

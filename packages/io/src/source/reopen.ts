// Plain data that tells of a source of another thread -> what `openSource` opens there.
import { describeValue } from '../errors/describe-value.ts';
import { ArgumentError } from '../errors/errors.ts';
import type { Openable } from './open-other-source.ts';
import { pickOptions } from '../options/index.ts';
import type { Reopening } from './source.ts';
import { isSource } from './own-source.ts';
import { SOURCE_OPTIONS } from './source-options.ts';
import type { OpenSourceOptions } from './source-options.ts';

/** What is opened in the end, and how. */
export interface Target {
  readonly what: Openable;
  readonly options: OpenSourceOptions;
}

/**
 * What is said now goes before what the source was opened with.
 * @throws ArgumentError for a module, which only the async form loads.
 */
export function targetOf(what: Openable | Reopening, options: OpenSourceOptions): Target {
  if (!isReopening(what)) return { what, options };
  if (!('module' in what))
    return { what: what.what, options: { ...pickOptions(SOURCE_OPTIONS, what.options), ...options } };
  throw new ArgumentError(
    'ERR_ARGUMENT',
    'what',
    'a file or bytes (use the form without Sync)',
    `the module ${what.module}`,
  );
}

/** The same, modules included. @throws ArgumentError where the module exports no `openSource`; what that throws. */
export async function loadedTarget(what: Openable | Reopening, options: OpenSourceOptions): Promise<Target> {
  if (!isReopening(what) || !('module' in what)) return targetOf(what, options);
  const { openSource } = (await import(/* webpackIgnore: true */ /* @vite-ignore */ what.module)) as {
    readonly openSource?: unknown;
  };
  if (typeof openSource !== 'function') {
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'module',
      `one that exports the function openSource: ${what.module}`,
      describeValue(openSource),
    );
  }
  return { what: (await (openSource as (given: unknown) => unknown)(what.options)) as Openable, options };
}

/** A source may have members of these names: it is still a source. */
function isReopening(value: unknown): value is Reopening {
  if (typeof value !== 'object' || value === null || !('options' in value) || isSource(value)) return false;
  return 'what' in value || ('module' in value && typeof value.module === 'string');
}

// The process-wide settings: with working memory, the mutable module state of colkit. (A worker thread has its own
// copy: set them there too.)
import { describeValue } from '../errors/describe-value.ts';
import { ArgumentError } from '../errors/errors.ts';
import { isCount } from '../values/integers.ts';

/** Which implementation runs: the addon's kernels, pure TypeScript, or the first where it loads and else the second. */
export type Backend = 'auto' | 'native' | 'js';
/** How a mapping will be used. 'auto': huge pages are asked for, the rest is left to the system. */
export type Madvise = 'auto' | 'normal' | 'sequential' | 'random' | 'willneed';

export const BACKENDS = ['auto', 'native', 'js'] as const satisfies readonly Backend[];
export const ADVICE = ['auto', 'normal', 'sequential', 'random', 'willneed'] as const satisfies readonly Madvise[];
/** The addon takes no more. */
const MOST_WORKERS = 4096;

interface Settings {
  /** 0: nobody has set it. */
  workers: number;
  madvise: Madvise;
  /** null: nobody has set it, COLKIT_BACKEND decides. */
  backend: Backend | null;
  /** What COLKIT_BACKEND says, looked up once; null: not yet. */
  environment: string | null;
}

const settings: Settings = { workers: 0, madvise: 'auto', backend: null, environment: null };

/** Most threads that one gather uses from now on. @throws ArgumentError outside [1, 4096]. */
export function chooseWorkers(count: number): void {
  if (!isCount(count) || count < 1 || count > MOST_WORKERS)
    throw new ArgumentError(
      'ERR_ARGUMENT',
      'count',
      `an integer in [1, ${String(MOST_WORKERS)}]`,
      describeValue(count),
    );
  settings.workers = count;
}

/** What was chosen, 0 where nobody did. */
export function chosenWorkers(): number {
  return settings.workers;
}

/** The advice for files opened from now on without a `madvise` option. @throws ArgumentError for any other word. */
export function setDefaultMadvise(advice: Madvise): void {
  checkMadvise(advice);
  settings.madvise = advice;
}

export function defaultMadvise(): Madvise {
  return settings.madvise;
}

/**
 * The backend for what is opened from now on without a `backend` option; it comes before the environment variable
 * COLKIT_BACKEND. 'native' where the addon is missing shows when it is first used. @throws ArgumentError for any other
 * word.
 */
export function setDefaultBackend(backend: Backend): void {
  checkBackend(backend, 'backend');
  settings.backend = backend;
}

/**
 * The option, else what `setDefaultBackend` set, else COLKIT_BACKEND, else 'auto'; and which of them it was.
 * @throws ArgumentError.
 */
export function chosenBackend(option?: Backend): { readonly backend: Backend; readonly by: string } {
  if (option !== undefined) {
    checkBackend(option, 'options.backend');
    // 'auto' as an option says the same as no option.
    if (option !== 'auto') return { backend: option, by: `{ backend: '${option}' }` };
  }
  if (settings.backend !== null) return { backend: settings.backend, by: `setDefaultBackend('${settings.backend}')` };
  const variable = backendByEnvironment();
  if (variable === '') return { backend: 'auto', by: 'the default' };
  checkBackend(variable, 'COLKIT_BACKEND');
  return { backend: variable, by: `COLKIT_BACKEND=${variable}` };
}

function checkMadvise(advice: string): asserts advice is Madvise {
  checkWord(advice, ADVICE, 'madvise');
}

function checkBackend(backend: string, argument: string): asserts backend is Backend {
  checkWord(backend, BACKENDS, argument);
}

/** @throws ArgumentError ERR_ARGUMENT for what is none of the words. */
export function checkWord(word: unknown, words: readonly string[], argument: string): void {
  if (!(words as readonly unknown[]).includes(word))
    throw new ArgumentError('ERR_ARGUMENT', argument, `one of ${words.join(', ')}`, describeValue(word));
}

/** Whether TypeScript was chosen, by whatever: writers ask thousands of times for one page. */
export function isTypeScriptChosen(): boolean {
  if (settings.backend !== null) return settings.backend === 'js';
  return backendByEnvironment() !== '' && chosenBackend().backend === 'js';
}

/** Empty where it says nothing. To ask the process for it takes longer than some of what is asked for because of it. */
function backendByEnvironment(): string {
  settings.environment ??= environmentVariable('COLKIT_BACKEND') ?? '';
  return settings.environment;
}

function environmentVariable(name: string): string | undefined {
  const host = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  return host.process?.env?.[name];
}

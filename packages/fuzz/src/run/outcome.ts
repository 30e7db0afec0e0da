// What became of each thing that was done with a file: a digest of the value, or the code of an error of the family.
// Two backends must agree; any other exception is a finding.
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { crc32, isColkitError } from '@colkit/io';

export type Outcome =
  | { readonly kind: 'value'; readonly digest: string; readonly shown: string }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  | { readonly kind: 'foreign'; readonly message: string; readonly stack: string };

/** Long enough to see what differs first. */
const SHOWN_CHARACTERS = 300;

/** Of the steps only so many are done with a mutant, others with others: more mutants in the same time. */
const SHARE = 0.4;

/** The steps of one pass over a file, in order. */
export class Recorder {
  readonly backend: 'native' | 'js';
  readonly outcomes = new Map<string, Outcome>();
  readonly #choice: number;

  /** @param choice which steps are done: the same ones for the same number. */
  constructor(backend: 'native' | 'js', choice: number) {
    this.backend = backend;
    this.#choice = choice;
  }

  /**
   * Does one thing and keeps what became of it; the value, or undefined after an error, or where this step is not one
   * of those done.
   */
  async step<T>(name: string, run: () => T | Promise<T>): Promise<T | undefined> {
    const isDone = crc32(new TextEncoder().encode(`${String(this.#choice)} ${name}`)) < SHARE * 2 ** 32;
    return isDone ? this.#attempt(name, run, digestOf) : undefined;
  }

  /** The same for what is only opened, always: that it is there is all that is kept. */
  async opens<T>(name: string, run: () => T | Promise<T>): Promise<T | undefined> {
    return this.#attempt(name, run, () => ({ kind: 'value', digest: '', shown: 'opened' }));
  }

  async #attempt<T>(name: string, run: () => T | Promise<T>, keep: (value: T) => Outcome): Promise<T | undefined> {
    try {
      const value = await run();
      this.outcomes.set(name, keep(value));
      return value;
    } catch (error) {
      this.outcomes.set(name, outcomeOf(error));
      return undefined;
    }
  }
}

function outcomeOf(error: unknown): Outcome {
  if (isColkitError(error)) return { kind: 'error', code: error.code, message: error.message };
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return {
    kind: 'foreign',
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    stack,
  };
}

/** In one word, for counts. */
export function wordOf(outcome: Outcome): string {
  return outcome.kind === 'value' ? 'value' : outcome.kind === 'error' ? outcome.code : 'foreign';
}

/**
 * Whether both backends did the same; NaNs of other payloads are other values. Without the addon nothing is mapped, so
 * that nothing can be viewed: that alone is no difference.
 */
export function agree(native: Outcome | undefined, js: Outcome | undefined): boolean {
  if (native === undefined || js === undefined) return native === js;
  if (js.kind === 'error' && js.code === 'ERR_NOT_MAPPED') return native.kind !== 'foreign';
  const [a, b] = [native, js];
  if (a.kind === 'value' && b.kind === 'value') return a.digest === b.digest;
  return wordOf(a) === wordOf(b);
}

export function showOutcome(outcome: Outcome | undefined): string {
  if (outcome === undefined) return 'not done';
  if (outcome.kind === 'value') return `value ${outcome.shown}`;
  return outcome.kind === 'error' ? `${outcome.code}: ${outcome.message}` : `${outcome.message}\n${outcome.stack}`;
}

function digestOf(value: unknown): Outcome {
  const digest = new Digest();
  digest.add(value);
  return digest.outcome();
}

/**
 * A value's bytes, kinds and order into one hash: bit patterns, so that -0 is not 0. Objects whose classes differ in no
 * field are equal.
 */
class Digest {
  readonly #hash: Hash = createHash('sha1');
  #shown = '';

  outcome(): Outcome {
    return { kind: 'value', digest: this.#hash.digest('hex'), shown: this.#shown };
  }

  add(value: unknown): void {
    if (ArrayBuffer.isView(value)) this.#bytes(value);
    else if (Array.isArray(value)) this.#list(value);
    else if (value instanceof Map) this.#list([...value.entries()]);
    else if (typeof value === 'object' && value !== null) this.#object(value);
    else
      this.#text(
        typeof value === 'bigint'
          ? `${String(value)}n`
          : Object.is(value, -0)
            ? '-0'
            : typeof value === 'string'
              ? JSON.stringify(value)
              : String(value),
      );
  }

  #text(text: string): void {
    this.#hash.update(text).update('\0');
    if (this.#shown.length < SHOWN_CHARACTERS) this.#shown += `${text.slice(0, SHOWN_CHARACTERS)} `;
  }

  #bytes(array: ArrayBufferView): void {
    const name = array.constructor.name === 'Buffer' ? 'Uint8Array' : array.constructor.name;
    this.#text(name);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    this.#hash.update(bytes);
    if (this.#shown.length < SHOWN_CHARACTERS)
      this.#shown += `[${String((array as Uint8Array).slice?.(0, 20) ?? '')}] `;
  }

  #list(list: readonly unknown[]): void {
    this.#text(`list of ${String(list.length)}`);
    for (const item of list) this.add(item);
  }

  #object(value: object): void {
    if (value instanceof Error) {
      this.#text(isColkitError(value) ? value.code : `${value.name}: ${value.message}`);
      return;
    }
    const entries = Object.entries(value);
    this.#text(`{${String(entries.length)}`);
    for (const [key, item] of entries) {
      this.#text(key);
      this.add(item);
    }
  }
}

// What a pool and its threads say to each other.
import type { MessagePort } from 'node:worker_threads';
import { ArgumentError, ColkitError, isColkitError } from '../errors/errors.ts';
import type { ColkitErrorCode } from '../errors/errors.ts';
import { isError } from '../errors/system-error.ts';

/** A thread's data: what it starts with, and the port that tasks come from. */
export interface ThreadData {
  readonly start: unknown;
  readonly port: MessagePort;
}

/** They are sent as lists. */
export interface TaskMessage {
  readonly number: number;
  readonly task: unknown;
}

/**
 * What a thread says: that its script is loaded, once; that it is ready for tasks or why not is known, once; then an
 * answer for each task, some of them together.
 */
export type ThreadMessage = 'loaded' | 'ready' | readonly AnswerMessage[];

export type AnswerMessage =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: unknown };

/** What an ArgumentError is made of. */
interface SentArgument extends Pick<ArgumentError, 'argument' | 'expected' | 'found'> {
  readonly code: ConstructorParameters<typeof ArgumentError>[0];
}

/** An error as plain data: errors lose their class on the way between threads. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly code: ColkitErrorCode | null;
  readonly argument: SentArgument | null;
  readonly stack: string | null;
}

export function sentError(error: unknown): SentError {
  const { name, message, stack } = isError(error) ? error : { name: 'Error', message: String(error), stack: undefined };
  return {
    name,
    message,
    code: isColkitError(error) ? error.code : null,
    argument: error instanceof ArgumentError ? sentArgument(error) : null,
    stack: stack ?? null,
  };
}

function sentArgument({ code, argument, expected, found }: ArgumentError): SentArgument {
  return { code: code as SentArgument['code'], argument, expected, found };
}

/** Of the other thread's family: which class it was of, its name says, which minifiers make short. */
class ReceivedError extends ColkitError {
  constructor({ code, message }: { readonly code: ColkitErrorCode; readonly message: string }) {
    super(code, message);
  }
}

/**
 * The same error again: an ArgumentError, whose cause has the stack of the other thread; else an error of the family
 * where it had a code, with the other's name and stack.
 */
export function receivedError(sent: SentError): Error {
  const { code: known, message } = sent;
  const error = known === null ? new Error(message) : new ReceivedError({ code: known, message });
  error.name = sent.name;
  if (sent.stack !== null) error.stack = sent.stack;
  if (sent.argument === null) return error;
  const { code, argument, expected, found } = sent.argument;
  const same = new ArgumentError(code, argument, expected, found, message);
  same.cause = error;
  return same;
}

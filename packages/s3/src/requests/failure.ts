// The errors of requests that failed: what is secret in them stays out of the message and of its cause.
import { IoError, describeValue } from '@colkit/io';
import type { S3Credentials } from './credentials.ts';

/** What a request is for: which code its errors have, and what they say was done. */
export interface Purpose {
  readonly operation: 'list' | 'read' | 'open' | 'create' | 'putIfAbsent' | 'delete' | 'write';
  /** The key of the object, or the store, in messages. */
  readonly path: string;
}

/** @param secrets which must not be told. */
export function failed(purpose: Purpose, text: string, secrets: readonly string[] = [], cause?: unknown): IoError {
  const { operation, path } = purpose;
  const code = operation === 'list' || operation === 'read' || operation === 'open' ? 'ERR_READ' : 'ERR_WRITE';
  const printed = textsOf(cause);
  const kept = withoutSecrets(printed, secrets) === printed ? cause : undefined;
  return new IoError(code, operation, path, withoutSecrets(text, secrets), kept);
}

/** Keys, tokens and signatures become dots. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const told = secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text);
  return told.replaceAll(/Signature=[0-9a-f]+/giu, 'Signature=…');
}

export function secretsOf(credentials: S3Credentials | null): string[] {
  if (credentials === null) return [];
  const { secretAccessKey, sessionToken = '' } = credentials;
  return [secretAccessKey, sessionToken].filter((secret) => secret !== '');
}

/** fetch says 'fetch failed' and keeps the reason in its cause. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && cause.message !== '') return cause.message;
  return error instanceof Error ? error.message : String(error);
}

/** All that an error, and what caused it, would print. */
function textsOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : describeValue(error);
  return `${error.message} ${error.stack ?? ''} ${textsOf(error.cause)}`;
}

// The error of a request that failed. What fetch, `sign` and `renew` say may hold the URL: what is secret in it stays
// out of the message and of its cause.
import { IoError } from '../../errors/errors.ts';
import { isError, messageOf } from '../../errors/system-error.ts';

/** @param urls whose secrets must not be told. */
export function requestFailed(path: string, urls: readonly string[], message: string, cause: unknown): IoError {
  const secrets = urls.flatMap(secretsOf);
  const told = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message);
  const printed = textsOf(cause);
  return new IoError(
    'ERR_READ',
    'read',
    path,
    told,
    secrets.some((text) => printed.includes(text)) ? undefined : cause,
  );
}

/** fetch says 'fetch failed' and keeps the reason in its cause. */
export function reasonOf(error: unknown): string {
  const cause = isError(error) ? error.cause : undefined;
  return isError(cause) && cause.message !== '' ? cause.message : messageOf(error);
}

/** Shorter values, such as dates and versions, tell nothing, and would be found anywhere. */
const SHORTEST_SECRET = 8;

/** The query of a URL, the values in it and the password before the host, as they stand there and decoded. */
function secretsOf(text: string): string[] {
  const { search, searchParams, password } = new URL(text);
  const values = [...searchParams.values(), password, decoded(password)];
  return [search.slice(1), ...values.filter(({ length }) => length >= SHORTEST_SECRET)].filter(
    (secret) => secret !== '',
  );
}

/** Without percent signs, as far as they mean something. */
export function decoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('text') ?? '';
}

/** All that an error, and what caused it, would print. */
function textsOf(error: unknown): string {
  if (!isError(error)) return String(error);
  return `${error.message} ${error.stack ?? ''} ${error.cause === undefined ? '' : textsOf(error.cause)}`;
}

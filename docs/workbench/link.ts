// A question as an address: what follows `#` opens the same remote file and asks the same of it.
import { OPERATIONS } from './protocol.ts';
import type { FileChoice, GroupOperation } from './protocol.ts';

export interface LinkedQuestion {
  /** Of the file; '' where it was one of the reader's own. */
  readonly url: string;
  readonly panel: string;
  readonly where: string;
  readonly by: string;
  readonly operation: GroupOperation;
  readonly of: string;
}

export const NO_QUESTION: LinkedQuestion = { url: '', panel: '', where: '', by: '', operation: 'count', of: '' };

export function readLink(hash: string): LinkedQuestion {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const operation = OPERATIONS.find((name) => name === words.get('op')) ?? 'count';
  const word = (key: string): string => words.get(key) ?? '';
  return { url: word('file'), panel: word('show'), where: word('where'), by: word('by'), operation, of: word('of') };
}

/** The file behind an address, or behind a path of this site; null where it is none. */
export function remoteFile(address: string): FileChoice | null {
  if (!URL.canParse(address, location.href)) return null;
  const { href, protocol, pathname } = new URL(address, location.href);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return { kind: 'url', url: href, name: decoded(pathname.split('/').pop() ?? '') || address };
}

/** A percent sign that escapes nothing is one like others. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** '' where there is nothing to say. */
export function writeLink({ url, panel, where, by, operation, of }: LinkedQuestion): string {
  const words = new URLSearchParams();
  const put = (key: string, value: string): void => {
    if (value !== '') words.set(key, value);
  };
  put('file', url);
  put('show', panel);
  put('where', where);
  put('by', by);
  put('op', by === '' ? '' : operation);
  put('of', by === '' || operation === 'count' ? '' : of);
  const text = words.toString();
  return text === '' ? '' : `#${text}`;
}

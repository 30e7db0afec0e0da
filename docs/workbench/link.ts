// A question as an address: what follows `#` opens the same remote file and asks the same of it.
import { OPERATIONS } from './protocol.ts';
import type { GroupOperation } from './protocol.ts';

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

/** What the file behind an address is called. */
export function fileNameOf(url: string): string {
  return decodeURIComponent(new URL(url, location.href).pathname.split('/').pop() ?? '') || url;
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

// How a function takes options that cannot be meant: one sentence for each kind that went wrong.
import { codeAndText } from '../code-of.ts';

/** What a call may be given as its options. */
export type CallWithOptions = (options: never) => unknown;

/** Things that are no options at all. */
const NO_OPTIONS: readonly unknown[] = [
  null,
  'text',
  3,
  1n,
  true,
  [],
  new Map(),
  new Set(),
  new Date(0),
  Symbol('options'),
  () => ({}),
];

/**
 * What a call did not refuse with ERR_ARGUMENT, or refused in other words; empty for a function that checks its
 * options.
 */
export async function acceptedOptions(call: CallWithOptions): Promise<string[]> {
  const wrong: string[] = [];
  const unknown = await codeAndText(() => call({ nonsense: 1 } as never));
  if (!/^ERR_ARGUMENT: .*unknown option "nonsense"; there (is|are) /.test(unknown))
    wrong.push(`{ nonsense: 1 }: ${unknown}`);
  for (const given of NO_OPTIONS) {
    const outcome = await codeAndText(() => call(given as never));
    if (!outcome.startsWith('ERR_ARGUMENT: ')) wrong.push(`${String(given)}: ${outcome}`);
  }
  return wrong;
}

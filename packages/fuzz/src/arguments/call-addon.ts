// One call of one function of the addon with arguments of which some are hostile: a JavaScript exception, or the right
// answer. A crash ends the process, and the parent sees it.
import { inspect } from 'node:util';
import { signatureOf } from '../run/job.ts';
import type { Finding, Report } from '../run/job.ts';
import { chance } from '../run/random.ts';
import type { Random } from '../run/random.ts';
import { answerOf } from './answers.ts';
import { fixtureIn, legalArguments } from './fixture.ts';
import { hostileValue } from './hostile.ts';

/** @param keep writes what is about to be called to disk. */
export async function callAddon(
  random: Random,
  folder: string,
  keep: (text: string) => void,
): Promise<Omit<Report, 'number'>> {
  const fixture = fixtureIn(folder);
  const names = Object.keys(fixture.binding)
    .filter((key) => typeof fixture.binding[key as keyof typeof fixture.binding] === 'function')
    .sort();
  const name = random.pick(names);
  const legal = legalArguments(name, random, fixture) ?? Array.from({ length: random.integer(4) }, () => undefined);
  const given = [...legal];
  const isHostile = !chance(random, 0.1);
  if (isHostile) {
    const first = random.integer(Math.max(1, legal.length));
    for (const at of chance(random, 0.3) ? [first, random.integer(Math.max(1, legal.length))] : [first]) {
      const choice = random.number();
      if (legal.length === 0 || choice < 0.04) given.push(hostileValue(random, 1, legal, fixture));
      else if (choice < 0.08) given.pop();
      else given[at] = hostileValue(random, legal[at], legal, fixture);
    }
  }
  const shown = `${name}(${given.map(show).join(', ')})`;
  keep(shown);
  const findings: Finding[] = [];
  const wrong = (text: string): void =>
    void findings.push({
      kind: 'wrong',
      where: name,
      text: `${shown}\n${text}`,
      signature: signatureOf('wrong', name, text),
    });
  const outcome = await attempt(
    fixture.binding[name as keyof typeof fixture.binding] as (...parameters: unknown[]) => unknown,
    given,
  );
  if (outcome.kind === 'error') {
    if (!isHostile) wrong(`refused although all is right: ${outcome.text}`);
    else if (!outcome.isError) wrong(`threw what is no Error: ${outcome.text}`);
  } else {
    const answer = answerOf(name, given, outcome.value, fixture);
    if (answer !== null) wrong(answer);
  }
  return { outcomes: { [outcome.kind === 'value' ? 'value' : outcome.code]: 1 }, findings };
}

type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly code: string; readonly isError: boolean; readonly text: string };

async function attempt(call: (...parameters: unknown[]) => unknown, given: readonly unknown[]): Promise<Outcome> {
  try {
    return { kind: 'value', value: await call(...given) };
  } catch (error) {
    const code =
      error instanceof Error
        ? String(
            (error as { code?: unknown }).code ??
              (error.message === 'a getter of the caller' ? 'thrown by a getter' : error.name),
          )
        : 'no error';
    return {
      kind: 'error',
      code,
      isError: error instanceof Error,
      text: error instanceof Error ? error.message : inspect(error),
    };
  }
}

function show(value: unknown): string {
  try {
    return inspect(value, { breakLength: Infinity, maxArrayLength: 40, maxStringLength: 100, getters: false });
  } catch {
    return 'what cannot be shown';
  }
}

// One mutant through everything, in both backends: what is not as it must be.
import { statSync } from 'node:fs';
import { crc32, setDefaultBackend } from '@colkit/io';
import type { Format } from '../formats/format.ts';
import { signatureOf } from './job.ts';
import type { Finding } from './job.ts';
import { markMemory, peakBytes } from './memory.ts';
import { Recorder, agree, showOutcome, wordOf } from './outcome.ts';
import { randomOf } from './random.ts';

/**
 * Far above what a mutant of a few kilobytes needs whose tables may have a million values, and far below what hurts.
 */
const MOST_BYTES = 768 * 2 ** 20;
/** Of the processor, in one backend: other processes do not count. */
const MOST_CPU_MS = 15_000;

export interface Checked {
  readonly outcomes: Record<string, number>;
  readonly findings: Finding[];
}

/** The random choices of a pass follow from the bytes: a file by itself is checked as the mutant was. */
export async function checkMutant(format: Format, path: string, bytes: Uint8Array, native: boolean): Promise<Checked> {
  const outcomes: Record<string, number> = {};
  const findings: Finding[] = [];
  const passes: Recorder[] = [];
  for (const backend of native ? (['native', 'js'] as const) : (['js'] as const)) {
    const recorder = new Recorder(backend, crc32(bytes));
    setDefaultBackend(backend);
    const before = markMemory();
    const cpu = process.cpuUsage();
    await format.exercise(recorder, path, randomOf(crc32(bytes), format.name, 0));
    const { user, system } = process.cpuUsage(cpu);
    const rise = peakBytes() - before;
    if (rise > MOST_BYTES)
      findings.push(
        finding(
          'memory',
          backend,
          `${String(Math.round(rise / 2 ** 20))} MiB for a file of ${String(statSync(path).size)} bytes`,
        ),
      );
    if ((user + system) / 1000 > MOST_CPU_MS)
      findings.push(finding('slow', backend, `${String(Math.round((user + system) / 1000))} ms of the processor`));
    passes.push(recorder);
  }
  setDefaultBackend('auto');
  for (const { backend, outcomes: steps } of passes) {
    for (const [step, outcome] of steps) {
      const word = wordOf(outcome);
      outcomes[word] = (outcomes[word] ?? 0) + 1;
      if (outcome.kind === 'foreign')
        findings.push(finding('foreign', step, `${backend}: ${showOutcome(outcome)}`, showOutcome(outcome)));
    }
  }
  const [first, second] = passes;
  if (first !== undefined && second !== undefined)
    await addDifferences(findings, first, second, () => format.damages?.(path));
  return { outcomes, findings };
}

async function addDifferences(
  found: Finding[],
  native: Recorder,
  js: Recorder,
  damages: () => Promise<ReadonlySet<string>> | undefined,
): Promise<void> {
  const steps = new Set([...native.outcomes.keys(), ...js.outcomes.keys()]);
  let codes: ReadonlySet<string> | undefined;
  for (const step of steps) {
    const [a, b] = [native.outcomes.get(step), js.outcomes.get(step)];
    if (agree(a, b)) continue;
    if (a?.kind === 'error' && b?.kind === 'error') {
      codes ??= (await damages()) ?? new Set();
      if (codes.has(a.code) && codes.has(b.code)) continue;
    }
    const words = `${a === undefined ? 'not done' : wordOf(a)} / ${b === undefined ? 'not done' : wordOf(b)}`;
    found.push(finding('difference', step, `native: ${showOutcome(a)}\njs:     ${showOutcome(b)}`, words));
  }
}

function finding(kind: Finding['kind'], where: string, text: string, alike = kind as string): Finding {
  return { kind, where, text, signature: signatureOf(kind, where, alike) };
}

// The JSON files of measured runs -> the records of the harness: runs of suites, and sweeps over sizes. A file that is
// neither is named, not guessed at.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SuiteResults } from '../../../bench/src/report/results.ts';
import type { SweepResults } from '../../../bench/src/sweep.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/**
 * Where committed runs and sweeps lie; `COLKIT_RESULTS` names another folder, to look at a run before it is committed.
 */
const FOLDER = process.env['COLKIT_RESULTS'] ?? join(ROOT, 'bench/results');

export interface ResultFile {
  readonly file: string;
  /** Null where the file is not a run of a suite. */
  readonly results: SuiteResults | null;
  /** Null where the file is not a sweep. */
  readonly sweep: SweepResults | null;
}

/**
 * In the order of their names.
 * @throws SyntaxError where a file is not JSON: the build fails rather than leave a figure out.
 */
export function readResultFiles(): readonly ResultFile[] {
  return names().map((file) => {
    const found: unknown = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
    return { file, results: isSuiteResults(found) ? found : null, sweep: isSweepResults(found) ? found : null };
  });
}

function names(): readonly string[] {
  try {
    return readdirSync(FOLDER)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}

function isSuiteResults(found: unknown): found is SuiteResults {
  if (typeof found !== 'object' || found === null) return false;
  const { suite, title, tasks, runs, goals } = found as Record<string, unknown>;
  return (
    typeof suite === 'string' &&
    typeof title === 'string' &&
    typeof tasks === 'object' &&
    tasks !== null &&
    Array.isArray(runs) &&
    Array.isArray(goals)
  );
}

function isSweepResults(found: unknown): found is SweepResults {
  if (typeof found !== 'object' || found === null) return false;
  const { suite, sweep, title, panels, runs } = found as Record<string, unknown>;
  return (
    typeof suite === 'string' &&
    typeof sweep === 'string' &&
    typeof title === 'string' &&
    Array.isArray(panels) &&
    Array.isArray(runs)
  );
}

// bench/results/*.json -> the records of the harness that lie there. A file that is none is named, not guessed at.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SuiteResults } from '../../../bench/src/results.ts';

/** Where the committed runs lie; `COLKIT_RESULTS` names another folder, to look at a run before it is committed. */
export const RESULTS = process.env['COLKIT_RESULTS'] ?? fileURLToPath(new URL('../../../bench/results/', new URL(import.meta.url, 'file:')));

export interface ResultFile {
  readonly file: string;
  /** Null where the file is not a record of the harness. */
  readonly results: SuiteResults | null;
}

/** In the order of their names. @throws SyntaxError where a file is not JSON: the build fails rather than leave a figure out. */
export function readResultFiles(folder: string = RESULTS): readonly ResultFile[] {
  return namesIn(folder).map((file) => {
    const found: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return { file, results: isSuiteResults(found) ? found : null };
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json')).sort();
  } catch {
    return [];
  }
}

function isSuiteResults(found: unknown): found is SuiteResults {
  if (typeof found !== 'object' || found === null) return false;
  const { suite, title, tasks, runs, goals } = found as Record<string, unknown>;
  return typeof suite === 'string' && typeof title === 'string' && typeof tasks === 'object' && tasks !== null && Array.isArray(runs) && Array.isArray(goals);
}

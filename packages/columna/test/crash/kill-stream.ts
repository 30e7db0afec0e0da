// A streaming writer or an appender is killed: every row group whose checkpoint was acknowledged is there, whole row
// groups only, and the next append goes on from there.
import { existsSync } from 'node:fs';
import { killWriter } from '@colkit/testkit/crash';
import type { Death, Kill } from '@colkit/testkit/crash';
import { readSync } from '../../src/read/read.ts';
import { append, appendSync } from '../../src/write/append.ts';
import { recover, recoverSync } from '../../src/write/recover.ts';
import type { Recovery } from '../../src/write/recover.ts';
import { writeSync } from '../../src/write/write.ts';
import { GROUP_ROWS, ROWS_BEFORE, STREAMED_GROUPS, rowsOf } from './content.ts';
import { PHASES } from './phases.ts';
import type { Phase } from './phases.ts';

/** @throws Error where anything else is found. */
export async function killStream(kill: Kill): Promise<Death<Phase>> {
  const { mode, path, random } = kill;
  const [appends, version] = [mode === 'append', kill.kill + 1];
  const first = appends ? ROWS_BEFORE : 0;
  if (appends) writeSync(path, rowsOf(version, 0, ROWS_BEFORE), { durability: 'none' });
  const { phase, acknowledgedRows } = await killWriter<Phase>(
    kill,
    version,
    PHASES[appends ? 'append' : 'stream'],
    timesOf,
  );
  // A file that was appended to is gone on with in either way; a partial file has to be recovered.
  const recovers = !appends || random.number() < 0.5;
  const found = recovers ? await recovered(path, random.number() < 0.5) : null;
  const least = Math.max(acknowledgedRows, first);
  const more = rowsOf(0, 0, 7);
  if (!existsSync(path)) {
    if (least > 0) throw new Error(`${phase}: ${String(least)} rows were acknowledged, and nothing is there`);
    writeSync(path, more);
    return { phase, outcome: 'old' };
  }
  const report = random.number() < 0.5 ? await append(path, more) : appendSync(path, more);
  const kept = report.rowCount - 7;
  const total = first + STREAMED_GROUPS * GROUP_ROWS;
  if (found !== null && found.rowCount !== kept)
    throw new Error(`${phase}: recover found ${String(found.rowCount)} rows, append ${String(kept)}`);
  if (kept < least || kept > total || (kept - first) % GROUP_ROWS !== 0)
    throw new Error(`${phase}: ${String(kept)} rows, of which ${String(least)} were acknowledged`);
  const columns = readSync(path);
  const [expected, added] = [rowsOf(version, 0, kept), more];
  for (const name of ['id', 'amount', 'text'] as const) {
    const values = Array.from(columns[name] as ArrayLike<unknown>);
    if (JSON.stringify(values) !== JSON.stringify([...expected[name], ...added[name]]))
      throw new Error(`${phase}: column ${name} has other values`);
  }
  return { phase, outcome: kept === first ? 'old' : kept === total ? 'all' : 'part' };
}

/** Each checkpoint goes through them. */
function timesOf(phase: Phase): number {
  return phase.includes('pages') || phase.includes('footer') || phase === 'checkpoint acknowledged'
    ? STREAMED_GROUPS / 2
    : 1;
}

/** Null where there is nothing to recover. */
async function recovered(path: string, sync: boolean): Promise<Recovery | null> {
  try {
    return sync ? recoverSync(path) : await recover(path);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_NOT_FOUND') return null;
    throw error;
  }
}

// A process that asks a pool and has nothing else to do. Arguments: the threads' script, and how it waits.
import { ThreadPool } from '../../src/threads/index.ts';

const [script = '', how] = process.argv.slice(2);
const pool = new ThreadPool(
  { script: { url: new URL(script) }, name: 'test', unpackError: () => new Error('failed'), ended: () => new Error() },
  { count: 1, holdsWhileAsked: how === 'asked' },
);
if (how === 'held') pool.hold(true);
void pool.ask('wait').then(async () => {
  process.stdout.write('answered\n');
  pool.hold(false);
  if (how === 'held') await pool.close();
});

// Drops 3.75 GiB of results, each of 48 MiB and touched; argument 3 says whether the event loop turns in between.
// Prints the peak of resident memory in MiB.
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { native } from './setup.mjs';

for (let i = 0; i < 80; i++) {
  const bytes = new Uint8Array(native.allocatePooled(48 << 20) ?? Buffer.allocUnsafeSlow(48 << 20).buffer);
  for (let at = 0; at < bytes.length; at += 65536) bytes[at] = 1;
  if (process.argv[3] === 'turning') await turn();
}
console.log(Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024));

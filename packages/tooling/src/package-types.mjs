#!/usr/bin/env node
// `prepack` of the packages, in the folder that is named (or `dist`): what users need besides what the build gives. For
// CommonJS, `X.cjs` beside `X.js`, which requires it (Node does since 20.19), with declarations of its own: those of a
// module TypeScript's `node16` refuses there (TS1479). And in all declarations the library of `Symbol.dispose`, for
// whoever does not list it.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';
const RELATIVE_SCRIPT = /(['"])(\.{1,2}\/[^'"\n]+?)(?:\.d)?\.(?:js|ts)\1/g;

const folder = process.argv[2] ?? 'dist';
for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');
  const whole = text.includes('Symbol.') && !text.startsWith(DISPOSABLE) ? DISPOSABLE + text : text;
  if (whole !== text) writeFileSync(file, whole);
  writeFileSync(file.replace(/\.ts$/, '.cts'), whole.replace(RELATIVE_SCRIPT, '$1$2.cjs$1'));
  const script = name.replace(/\.d\.ts$/, '');
  if (existsSync(join(folder, `${script}.js`)))
    writeFileSync(join(folder, `${script}.cjs`), `module.exports = require('./${script}.js');\n`);
}

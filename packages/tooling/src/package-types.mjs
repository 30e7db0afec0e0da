#!/usr/bin/env node
// `prepack` of the packages: what users need besides what the build gives. For CommonJS, a folder `require` of scripts
// that require those of `dist` (Node does since 20.19), with declarations of their own: those of a module TypeScript's
// `node16` refuses there (TS1479). They are not in `dist`, all of which some bundlers take for code. And in all
// declarations the library of `Symbol.dispose`, for whoever does not list it. With a folder named, in place.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';
const RELATIVE_SCRIPT = /(['"])(\.{1,2}\/[^'"\n]+?)(?:\.d)?\.(?:js|ts)\1/g;

const [given] = process.argv.slice(2);
const [folder, out] = given === undefined ? ['dist', 'require'] : [given, given];
if (folder !== out) rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts'))) {
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');
  const whole = text.includes('Symbol.') && !text.startsWith(DISPOSABLE) ? DISPOSABLE + text : text;
  if (whole !== text) writeFileSync(file, whole);
  const script = name.replace(/\.d\.ts$/, '');
  writeFileSync(join(out, `${script}.d.cts`), whole.replace(RELATIVE_SCRIPT, '$1$2.cjs$1'));
  if (!existsSync(join(folder, `${script}.js`))) continue;
  const target = folder === out ? `./${script}.js` : `../${folder}/${script}.js`;
  writeFileSync(join(out, `${script}.cjs`), `module.exports = require('${target}');\n`);
}

// What search engines and previews of links take from the built site: each page is in the sitemap and names itself, and
// the picture is there.
//   node scripts/check-head.mjs        after `npm run build`
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../.vitepress/dist', import.meta.url));
const listed = new Set(
  Array.from(readFileSync(join(DIST, 'sitemap.xml'), 'utf8').matchAll(/<loc>(.*?)<\/loc>/g), ([, address]) => address),
);
const faults = [];
let pages = 0;
for (const name of readdirSync(DIST, { recursive: true })) {
  if (!name.endsWith('.html') || name === '404.html') continue;
  pages += 1;
  const html = readFileSync(join(DIST, name), 'utf8');
  const property = (key) => new RegExp(`<meta property="og:${key}" content="([^"]+)"`).exec(html)?.[1];
  const address = property('url');
  const path = name
    .split(sep)
    .join('/')
    .replace(/(^|\/)index\.html$/, '$1');
  if (address === undefined || !address.endsWith(`/${path}`)) faults.push(`${name} calls itself ${address}`);
  if (!listed.has(address)) faults.push(`${address} is not in the sitemap`);
  for (const key of ['title', 'description']) if (property(key) === undefined) faults.push(`${name} has no og:${key}`);
  const image = property('image')?.split('/').at(-1);
  if (image === undefined || !existsSync(join(DIST, image))) faults.push(`${name} shows ${image}, which is not there`);
}
if (listed.size !== pages) faults.push(`${listed.size} addresses in the sitemap of ${pages} pages`);
for (const fault of faults) console.log(fault);
console.log(`sitemap and previews of ${pages} pages, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

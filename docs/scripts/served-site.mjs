// The built site on a port of this machine, with ranges as static hosts have them; and a Chromium to look at it.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const DIST = fileURLToPath(new URL('../.vitepress/dist', import.meta.url));
/** What stands before each path, as the site was built: '' or '/colkit'. */
const BASE = (process.env.DOCS_BASE ?? '/').replace(/\/$/, '');
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};
const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Null where there is none. */
export function chromiumPath() {
  return CHROMIUM.find((path) => path !== undefined && existsSync(path)) ?? null;
}

export function launch() {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath() ?? undefined, args });
}

/** A percent sign that escapes nothing is one like others. */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `requests`: path and range of each, in the order in which they came. */
export async function serveSite() {
  const requests = [];
  const server = createServer((request, response) => {
    const asked = normalize(decoded(new URL(request.url, 'http://localhost').pathname));
    const path = asked.startsWith(`${BASE}/`) ? asked.slice(BASE.length) : '/404.html';
    const { range } = request.headers;
    requests.push({ path, range: range ?? null });
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((name) => join(DIST, name))
      .find((name) => existsSync(name) && statSync(name).isFile());
    if (file === undefined) {
      response.writeHead(404).end('not found');
      return;
    }
    const { size, mtimeMs } = statSync(file);
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    const start = Number(from ?? 0);
    const end = to === undefined || to === '' ? size - 1 : Math.min(size - 1, Number(to));
    const headers = {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': end - start + 1,
      'accept-ranges': 'bytes',
      etag: `"${size}-${mtimeMs}"`,
      ...(from === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
    };
    response.writeHead(from === undefined ? 200 : 206, headers);
    if (request.method === 'HEAD' || size === 0) response.end();
    else createReadStream(file, { start, end }).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}${BASE}`,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

// A page about a file, with its script bundled from the sources.
import { openSource } from '@colkit/io';
import { renderPage } from '../../src/page/html.ts';
import { PAGE_LIMITS, pageModel } from '../../src/page/page-model.ts';
import type { PageLimits, PageModel } from '../../src/page/page-model.ts';
// @ts-expect-error a build script without declarations
import { bundlePage as bundled } from '../../scripts/bundle-page.mjs';

const bundlePage = bundled as () => Promise<string>;
let script: Promise<string> | undefined;

/** The script of every page. */
export function pageScript(): Promise<string> {
  return (script ??= bundlePage());
}

export async function modelOf(
  bytes: Uint8Array,
  limits: PageLimits = PAGE_LIMITS,
  name = 'orders.cna',
): Promise<PageModel> {
  return pageModel(await openSource(bytes), name, limits);
}

export async function pageOf(bytes: Uint8Array, limits?: PageLimits, name?: string): Promise<string> {
  return renderPage(await modelOf(bytes, limits, name), await pageScript());
}

// The same name as page-script.ts for browsers: the build (tsup.config.ts) puts the bundle of ./browser in place of the
// name.

declare const INSPECTOR_PAGE: string;

export function pageScript(): Promise<string> {
  return Promise.resolve(INSPECTOR_PAGE);
}

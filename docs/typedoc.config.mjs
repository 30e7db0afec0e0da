// The API reference: Markdown, a page for each name, in api/ (generated, not committed).
import { entryPoints } from './scripts/entry-points.mjs';

export default {
  name: 'API reference',
  entryPoints: entryPoints().map(({ path }) => path),
  tsconfig: 'tsconfig.typedoc.json',
  plugin: ['typedoc-plugin-markdown', './scripts/typedoc-plugin.mjs'],
  out: 'api',
  entryFileName: 'index',
  readme: 'none',
  router: 'member',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeProtected: true,
  // The packages' own type check finds errors; here it would only repeat them.
  skipErrorChecking: true,
  validation: { invalidLink: true, notExported: false, notDocumented: false },
  treatWarningsAsErrors: true,
  useCodeBlocks: true,
  sanitizeComments: true,
  expandObjects: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  indexFormat: 'table',
  groupOrder: ['Functions', 'Classes', '*'],
};

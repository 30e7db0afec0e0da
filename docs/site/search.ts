// The order of what the search of the site finds. A module of its own, because the search box runs this function in the
// reader's browser: it stands alone and reaches for nothing.

/**
 * Guides come before the API, which names everything, and before what is written for who works on the project.
 * @param id the address of a section.
 */
export function boostDocument(id: string): number {
  if (id.includes('/guide/')) return 3;
  return /\/(?:api|formats|architecture|performance|terms|figures)\b/.test(id) ? 0.6 : 1.5;
}

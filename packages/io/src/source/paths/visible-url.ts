// The part of a URL that may be shown: who it is signed for, and with what, stays out of messages, names and logs.

/**
 * Without user, password, query and fragment, and without the bytes of a data: URL. What is no URL loses what would be
 * these in one.
 */
export function visibleUrl(url: string | URL): string {
  return String(url)
    .replace(/^(data:[^,]*),.*/is, '$1,…')
    .replace(/\/\/[^/?#\\]*@|[?#].*/gs, (part) => (part.startsWith('/') ? '//' : ''));
}

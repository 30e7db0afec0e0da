// What tells a version of a remote object from all others, in memory and in files: where it lies, without what is only
// there to be let in, its ETag and its length.

/** Names of what signs a URL, in lower case: it differs from one URL of an object to the next, and is secret. */
const SIGNATURES = new RegExp(
  '^(?:x-(?:amz|goog|oss|cos)-.*|awsaccesskeyid|googleaccessid|signature|expires|policy|key-pair-id|token' +
    '|access_token|s[vseptri]|srt|spr|sig|sip|sdd|skoid|sktid|skt|ske|sks|skv|saoid|suoid|scid)$',
  'u',
);

/**
 * Of one version of an object: the same text for the same bytes. Null where the server tells no version: then nobody
 * may take what was loaded for another source.
 */
export function identityOf(url: URL, version: string | null, byteLength: number): string | null {
  if (version === null) return null;
  const asked = [...url.searchParams].filter(([name]) => !SIGNATURES.test(name.toLowerCase()));
  return JSON.stringify([url.origin, url.pathname, asked.sort(), version, byteLength]);
}

/** Whether a version says that the bytes are the same, not only that they mean the same. */
export function isStrong(version: string | null): boolean {
  return version !== null && /^".*"$/su.test(version);
}

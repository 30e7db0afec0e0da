// What an error of the system, or of foreign code, says.

/** The `code` of a system error ('ENOSPC', …), or the empty string. */
export function systemCode(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// What an error of the system, or of foreign code, says. Test runners (Jest) and `node:vm` give programs globals of
// their own, and Node's errors are none of their `Error`: an error is told by what it has.

/** Whether it is an error, of whichever realm. */
export function isError(error: unknown): error is Error {
  return typeof (error as { message?: unknown } | null | undefined)?.message === 'string';
}

/** The `code` of a system error ('ENOSPC', …), or the empty string. */
export function systemCode(error: unknown): string {
  const code = isError(error) ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}

/** A platform that a binary is published for. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

export const PLATFORMS: Readonly<Record<string, Platform>>;
export function packageOf(platform: string): string;

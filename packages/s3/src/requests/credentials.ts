// Who asks: keys that were given, or a function that brings them, as often as they expire.

/** As the credential providers of AWS give them, too. */
export interface S3Credentials {
  /** Which key it is. */
  readonly accessKeyId: string;
  /** What is signed with. */
  readonly secretAccessKey: string;
  /** Of keys that expire. */
  readonly sessionToken?: string | undefined;
  /** When they expire: a function is asked again a minute earlier. */
  readonly expiration?: Date | undefined;
}

export type S3CredentialsInput = S3Credentials | (() => S3Credentials | Promise<S3Credentials>);

const EARLIER_MS = 60_000;

export class CredentialsKeeper {
  readonly #given: S3CredentialsInput | null;
  #kept: Promise<S3Credentials> | null = null;

  constructor(given: S3CredentialsInput | null) {
    this.#given = given;
  }

  /** Null: nothing is signed. @throws what the function throws; Error where it gives no credentials. */
  async get(): Promise<S3Credentials | null> {
    if (typeof this.#given !== 'function') return this.#given;
    for (let fresh = false; ; fresh = true) {
      const asked = (this.#kept ??= this.#ask(this.#given));
      const { expiration } = await asked;
      if (fresh || expiration === undefined || expiration.getTime() - EARLIER_MS > Date.now()) return asked;
      this.#drop(asked);
    }
  }

  /** The server refuses them. @returns whether there may be others. */
  refused(): boolean {
    this.#kept = null;
    return typeof this.#given === 'function';
  }

  #drop(asked: Promise<S3Credentials>): void {
    if (this.#kept === asked) this.#kept = null;
  }

  async #ask(given: () => S3Credentials | Promise<S3Credentials>): Promise<S3Credentials> {
    try {
      const credentials = await given();
      if (!isCredentials(credentials)) throw new Error('it gave no { accessKeyId, secretAccessKey }');
      return credentials;
    } catch (error) {
      this.#kept = null;
      throw error;
    }
  }
}

export function isCredentials(value: unknown): value is S3Credentials {
  if (typeof value !== 'object' || value === null) return false;
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = value as Record<string, unknown>;
  return (
    typeof accessKeyId === 'string' &&
    accessKeyId !== '' &&
    typeof secretAccessKey === 'string' &&
    secretAccessKey !== '' &&
    (sessionToken === undefined || typeof sessionToken === 'string') &&
    (expiration === undefined || expiration instanceof Date)
  );
}

// Signatures of AWS, version 4, as a server checks them: written from their specification, with Node's own hashes.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface SignedParts {
  readonly method: string;
  /** As it was sent. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

const SKEW_MS = 15 * 60_000;

/** The code of the error; null: it is signed rightly. */
export function signatureError(request: SignedParts, keys: Keys, region: string): string | null {
  const { url, headers } = request;
  const query = url.searchParams;
  const isQuery = query.has('X-Amz-Signature');
  const header = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/u.exec(
    headers.authorization ?? '',
  );
  if (!isQuery && header === null) return 'AccessDenied';
  const [credential, signedHeaders, signature] = isQuery
    ? ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature'].map((name) => query.get(name) ?? '')
    : [header![1]!, header![2]!, header![3]!];
  const [id, day, ...scope] = credential!.split('/');
  const time = isQuery ? query.get('X-Amz-Date') : headers['x-amz-date'];
  const at = Date.parse(String(time).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, '$1-$2-$3T$4:$5:$6Z'));
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId';
  if (scope.join('/') !== `${region}/s3/aws4_request` || !String(time).startsWith(day!))
    return 'AuthorizationHeaderMalformed';
  if ((isQuery ? query.get('X-Amz-Security-Token') : headers['x-amz-security-token']) != keys.sessionToken)
    return 'InvalidToken';
  if (isQuery) {
    if (!(Date.now() < at + Number(query.get('X-Amz-Expires')) * 1000)) return 'AccessDenied';
  } else if (!(Math.abs(Date.now() - at) < SKEW_MS)) return 'RequestTimeTooSkewed';
  const names = signedHeaders!.split(';');
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !names.includes(name));
  if (!names.includes('host') || unsigned.length > 0) return 'AccessDenied';
  const payload = isQuery ? 'UNSIGNED-PAYLOAD' : String(headers['x-amz-content-sha256']);
  if (!isQuery && payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(request.body))
    return 'XAmzContentSHA256Mismatch';
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/\s+/gu, ' ')}`,
    ),
    '',
    signedHeaders,
    payload,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, `${day!}/${scope.join('/')}`, sha256(canonical)].join('\n');
  const key = [day!, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`);
  const expected = Buffer.from(hmac(key, text).toString('hex'));
  const given = Buffer.from(signature!);
  return given.length === expected.length && timingSafeEqual(given, expected) ? null : 'SignatureDoesNotMatch';
}

function sha256(what: string | Uint8Array): string {
  return createHash('sha256').update(what).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

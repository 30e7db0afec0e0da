// What a bucket holds, and what it says to each request: the rules of S3 on objects, conditions, parts and lists.
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface S3Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export interface S3Object {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly modified: Date;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface S3Question {
  readonly method: string;
  /** Empty: the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

export interface BucketRules {
  /** Objects of a page of a list. */
  readonly pageSize: number;
  /** Of all parts but the last. */
  readonly leastPartBytes: number;
  /** Without it a second write of a key takes the first one's place, as on servers that know no conditions. */
  readonly enforcesIfNoneMatch: boolean;
}

interface Upload {
  readonly key: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parts: Map<number, { readonly bytes: Uint8Array; readonly etag: string }>;
}

export class Bucket {
  readonly objects = new Map<string, S3Object>();
  readonly uploads = new Map<string, Upload>();
  readonly rules: BucketRules;

  constructor(rules: BucketRules) {
    this.rules = rules;
  }

  answer(question: S3Question): S3Answer {
    const { method, key, query } = question;
    if (key === '') return method === 'GET' && query.get('list-type') === '2' ? this.#list(query) : NOT_ALLOWED;
    const upload = query.get('uploadId');
    if (method === 'POST' && query.has('uploads')) return this.#begin(question);
    if (method === 'PUT' && upload !== null) return this.#part(question, upload);
    if (method === 'POST' && upload !== null) return this.#complete(question, upload);
    if (method === 'DELETE' && upload !== null)
      return this.uploads.delete(upload) ? { status: 204 } : failure(404, 'NoSuchUpload');
    if (method === 'PUT') return this.#put(question);
    if (method === 'GET' || method === 'HEAD') return this.#get(question);
    if (method !== 'DELETE') return NOT_ALLOWED;
    this.objects.delete(key);
    return { status: 204 };
  }

  #isTaken({ key, headers }: S3Question): boolean {
    return this.rules.enforcesIfNoneMatch && headers['if-none-match'] === '*' && this.objects.has(key);
  }

  #put(question: S3Question): S3Answer {
    if (this.#isTaken(question)) return failure(412, 'PreconditionFailed');
    const etag = `"${md5(question.body)}"`;
    this.#keep(question.key, question.body, etag, metadataOf(question));
    return { status: 200, headers: { etag } };
  }

  #keep(key: string, bytes: Uint8Array, etag: string, metadata: Readonly<Record<string, string>>): void {
    this.objects.set(key, { bytes, etag, metadata, modified: new Date() });
  }

  #get({ method, key, headers }: S3Question): S3Answer {
    const found = this.objects.get(key);
    if (found === undefined) return method === 'HEAD' ? { status: 404 } : failure(404, 'NoSuchKey');
    const { bytes, etag, modified, metadata } = found;
    if (headers['if-match'] !== undefined && headers['if-match'] !== etag) return failure(412, 'PreconditionFailed');
    const told = { etag, 'last-modified': modified.toUTCString(), 'accept-ranges': 'bytes', ...metadata };
    if (method === 'HEAD') return { status: 200, headers: { ...told, 'content-length': String(bytes.length) } };
    const range = /^bytes=(\d*)-(\d*)$/u.exec(headers.range ?? '');
    if (range === null) return { status: 200, headers: told, body: bytes };
    const [, first = '', last = ''] = range;
    const start = first === '' ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const end = first === '' || last === '' ? bytes.length : Math.min(bytes.length, Number(last) + 1);
    if (start >= end) return failure(416, 'InvalidRange');
    const content = `bytes ${String(start)}-${String(end - 1)}/${String(bytes.length)}`;
    return { status: 206, headers: { ...told, 'content-range': content }, body: bytes.subarray(start, end) };
  }

  #begin(question: S3Question): S3Answer {
    const id = randomUUID();
    this.uploads.set(id, { key: question.key, metadata: metadataOf(question), parts: new Map() });
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }

  #part({ key, query, body }: S3Question, id: string): S3Answer {
    const upload = this.uploads.get(id);
    const number = Number(query.get('partNumber'));
    if (upload?.key !== key) return failure(404, 'NoSuchUpload');
    if (!Number.isInteger(number) || number < 1 || number > 10_000) return failure(400, 'InvalidArgument');
    const etag = `"${md5(body)}"`;
    upload.parts.set(number, { bytes: body, etag });
    return { status: 200, headers: { etag } };
  }

  #complete(question: S3Question, id: string): S3Answer {
    const upload = this.uploads.get(id);
    if (upload?.key !== question.key) return failure(404, 'NoSuchUpload');
    if (this.#isTaken(question)) return failure(412, 'PreconditionFailed');
    const text = new TextDecoder().decode(question.body);
    const named = [...text.matchAll(/<Part><PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag><\/Part>/gu)];
    if (named.length === 0) return failure(400, 'MalformedXML');
    const all: Uint8Array[] = [];
    let before = 0;
    for (const [index, [, number = '', tag = '']] of named.entries()) {
      const part = upload.parts.get(Number(number));
      if (Number(number) <= before) return failure(400, 'InvalidPartOrder');
      before = Number(number);
      if (part?.etag !== tag.replaceAll('&#34;', '"')) return failure(400, 'InvalidPart');
      if (index < named.length - 1 && part.bytes.length < this.rules.leastPartBytes)
        return failure(400, 'EntityTooSmall');
      all.push(part.bytes);
    }
    const bytes = new Uint8Array(Buffer.concat(all));
    const etag = `"${md5(bytes)}-${String(all.length)}"`;
    this.#keep(question.key, bytes, etag, upload.metadata);
    this.uploads.delete(id);
    return xml(`<CompleteMultipartUploadResult><ETag>${escaped(etag)}</ETag></CompleteMultipartUploadResult>`);
  }

  #list(query: URLSearchParams): S3Answer {
    const prefix = query.get('prefix') ?? '';
    const token = query.get('continuation-token');
    const after = Buffer.from(query.get('start-after') ?? '');
    const isEncoded = query.get('encoding-type') === 'url';
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), after) > 0)
      .sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    const start = token === null ? 0 : keys.indexOf(Buffer.from(token, 'base64').toString()) + 1;
    const page = keys.slice(start, start + this.rules.pageSize);
    const isCut = start + page.length < keys.length;
    const contents = page.map((key) => {
      const { bytes, etag, modified } = this.objects.get(key)!;
      const name = isEncoded ? encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/') : escaped(key);
      return (
        `<Contents><Key>${name}</Key><LastModified>${modified.toISOString()}</LastModified>` +
        `<ETag>${escaped(etag)}</ETag><Size>${String(bytes.length)}</Size></Contents>`
      );
    });
    const next = Buffer.from(page.at(-1) ?? '').toString('base64');
    return xml(
      '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
        `${isEncoded ? '<EncodingType>url</EncodingType>' : ''}<IsTruncated>${String(isCut)}</IsTruncated>` +
        `${isCut ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}${contents.join('')}` +
        '</ListBucketResult>',
    );
  }
}

const NOT_ALLOWED = failure(405, 'MethodNotAllowed');

export function failure(status: number, code: string): S3Answer {
  return { ...xml(`<Error><Code>${code}</Code><Message>as the server was told</Message></Error>`), status };
}

function xml(text: string): S3Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${text}`;
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function metadataOf({ headers }: S3Question): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

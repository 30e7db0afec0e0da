// The public face of @colkit/s3: a bucket behind the S3 API as a store.
export { S3Store, s3Store } from './s3-store.ts';
export type { S3StoreOptions } from './store-options.ts';
export type { S3Credentials, S3CredentialsInput } from './requests/credentials.ts';

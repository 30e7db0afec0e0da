// What the package check runs in a user's folder: `library` is the package, loaded by import or by require.
(async () => {
  const { backendInfo, isColkitError } = await import('@colkit/io');
  const store = library.s3Store({ bucket: 'bucket', endpoint: 'http://127.0.0.1:9', prefix: 'orders/', retry: false });
  if (store.name !== 'http://127.0.0.1:9/bucket/orders') throw new Error(`wrong name: ${store.name}`);
  const error = await store.read('x').catch((reason) => reason);
  if (!isColkitError(error) || error.code !== 'ERR_READ') throw new Error(`wrong error: ${error}`);
  console.log(`ok, backend ${backendInfo().backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});

// What the package check runs in a user's folder: `library` is the package, loaded by import or by require.
(async () => {
  const { binding, reason } = library.loadNative();
  if (typeof reason !== 'string' || reason === '') throw new Error('no reason is given');
  // COLKIT_BACKEND is read one layer up: here only the binary counts.
  const backend = process.env.COLKIT_BACKEND === 'js' || binding === null ? 'js' : 'native';
  if (binding !== null && binding.maxWorkers() < 1) throw new Error('no workers');
  console.log(`ok, backend ${backend}`);
})().catch((error) => {
  console.error(error);
  process.exit(1);
});

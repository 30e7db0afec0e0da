// A page that asks a Web Worker of the user's own.
const worker = new Worker(new URL('./in-worker.mjs', import.meta.url), { type: 'module' });

globalThis.answer = new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => resolve({ error: `the worker failed: ${message}` });
});

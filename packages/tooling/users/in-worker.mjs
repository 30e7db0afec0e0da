// A Web Worker of the user's own, which runs what else the page does.
import './page.mjs';

globalThis.answer.then((found) => postMessage(found));

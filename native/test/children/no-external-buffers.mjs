// Electron's rule: no window, results in ordinary buffers, and gathers as ever. Run with COLKIT_NO_EXTERNAL_BUFFERS=1.
import { mapColumn, native, scatteredRows, writeColumn } from './setup.mjs';

const path = process.argv[2];
writeColumn(path, 1000);
const { mapping, segments, rowCount } = mapColumn(path);
let code = 'a window';
try {
  native.window(mapping, 0, 8000);
} catch (error) {
  code = error.code;
}
const pooled = native.allocatePooled(1 << 20);
const rows = scatteredRows(100, rowCount);
const out = new Float64Array(100);
native.gatherSync(segments, Int32Array.of(0), { kind: 'indices', indices: rows }, [out], null, 1);
console.log(
  JSON.stringify({ code, windows: native.windowStats().count, pooled: pooled?.byteLength ?? null, row: out[7] }),
);

// Numbers and cells as the page writes them.
import type { Cell, Cost } from './protocol.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Powers of 1,000, three digits. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < UNITS.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 ? String(value) : value.toPrecision(3)} ${UNITS[unit] ?? ''}`;
}

export function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

export function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds.toFixed(0)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** `byteLength`: of the whole file. */
export function costText({ bytesRead, requests, milliseconds }: Cost, byteLength: number): string {
  const asked = requests === 0 ? '' : ` in ${countText(requests, 'request', 'requests')}`;
  return `${bytesText(bytesRead)} of ${bytesText(byteLength)} read${asked}, ${timeText(milliseconds)}`;
}

export function cellText(cell: Cell): string {
  return cell === null ? 'null' : typeof cell === 'number' ? numberText(cell) : String(cell);
}

/** Every digit that a double has, without the noise of long fractions in charts: for cells, not for axes. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

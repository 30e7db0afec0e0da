// Input columns -> plain values, read in ranges of three rows through both forms, decoded by hand.
import { WorkContext } from '@colkit/io/effects';
import type { DTypeInfo } from '@colkit/io';
import { valuesOf } from '../../src/index.ts';
import type { Chunk, InputColumns } from '../../src/index.ts';

export async function readAll({ columns, rowCount }: InputColumns): Promise<Record<string, unknown[]>> {
  const result: Record<string, unknown[]> = Object.create(null) as Record<string, unknown[]>;
  for (const column of columns) {
    const values: unknown[] = [];
    const whole = decodeChunk(column.info, column.read(0, rowCount).runSync(new WorkContext()), rowCount);
    for (let start = 0; start < rowCount; start += 3) {
      const end = Math.min(rowCount, start + 3);
      values.push(...decodeChunk(column.info, await column.read(start, end).run(new WorkContext()), end - start));
    }
    if (JSON.stringify(whole, shown) !== JSON.stringify(values, shown))
      throw new Error(`column ${column.field.name} differs when it is read in pieces`);
    result[column.field.name] = values;
  }
  return result;
}

function shown(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${String(value)}n`;
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

export function decodeChunk(info: DTypeInfo, chunk: Chunk, rowCount: number): unknown[] {
  const values = chunk.kind === 'fixed' ? [] : valuesOf(chunk);
  return Array.from({ length: rowCount }, (_, row) => {
    const present = chunk.validity === null || ((chunk.validity[row >> 3]! >> (row & 7)) & 1) === 1;
    if (chunk.kind !== 'fixed') {
      const value = values[row]!;
      if (!present && value.length > 0) throw new Error('a null row holds a value');
      return present ? value : null;
    }
    if (chunk.bytes.length !== rowCount * info.itemBytes) throw new Error('bytes of another number of rows');
    const item = chunk.bytes.slice(row * info.itemBytes, (row + 1) * info.itemBytes);
    if (!present && item.some((byte) => byte !== 0)) throw new Error('a null row holds a value');
    return present ? decodeItem(info, item) : null;
  });
}

function decodeItem(info: DTypeInfo, item: Uint8Array): unknown {
  const view = new DataView(item.buffer);
  switch (info.kind) {
    case 'bool':
      return view.getUint8(0) === 1;
    case 'float':
      if (info.itemBytes === 2) return half(view.getUint16(0, true));
      return info.itemBytes === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
    case 'bytes':
      return String.fromCharCode(...item).replace(/\0+$/, '');
    case 'unicode':
      return Array.from({ length: info.length }, (_, index) => String.fromCodePoint(view.getUint32(4 * index, true)))
        .join('')
        .replace(/\0+$/, '');
    default: {
      let all = 0n;
      for (let index = 0; index < item.length; index += 1) all |= BigInt(item[index]!) << BigInt(8 * index);
      const value = info.kind === 'uint' ? all : BigInt.asIntN(8 * item.length, all);
      return item.length === 8 ? value : Number(value);
    }
  }
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { parseKeyRing, type KeyRing } from './key-ring.ts';
import { createSealer, SealError, type SealContext } from './seal.ts';

function ringOf(...keys: [id: string, byte: number][]): KeyRing {
  const text = keys.map(([id, byte]) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`).join(',');
  const ring = parseKeyRing(text);
  if ('error' in ring) throw new Error(ring.error);
  return ring;
}

const place: SealContext = {
  organizationId: '5b0e8f5c-0000-4000-8000-000000000001',
  table: 'connectors',
  column: 'credentials',
  row: '5b0e8f5c-0000-4000-8000-000000000002',
};
const text = '{"api_key":"grn_Ünïcode","id":1234567890123456789}';
const sealer = createSealer(ringOf(['k1', 1]));

function refusalOf(open: () => string): SealError {
  try {
    open();
  } catch (error) {
    if (error instanceof SealError) return error;
    throw error;
  }
  throw new Error('It opened');
}

test('opens what it sealed, where it was sealed', () => {
  expect(sealer.open(sealer.seal(text, place), place)).toBe(text);
  expect(sealer.open(sealer.seal('', place), place)).toBe('');
});

test('does not show the text, nor that two texts are equal', () => {
  const sealed = sealer.seal(text, place);
  expect(sealed.includes('grn_')).toBe(false);
  expect(sealer.seal(text, place).equals(sealed)).toBe(false);
});

test.each([
  ['organization', { ...place, organizationId: '5b0e8f5c-0000-4000-8000-000000000009' }],
  ['row', { ...place, row: '5b0e8f5c-0000-4000-8000-000000000009' }],
  // The types do not allow these; a database that was tampered with asks nobody.
  ['table', { ...place, table: 'customers' } as unknown as SealContext],
  ['column', { ...place, column: 'name' } as unknown as SealContext],
])('refuses a value that was moved to another %s', (_what, elsewhere) => {
  const sealed = sealer.seal(text, place);
  expect(refusalOf(() => sealer.open(sealed, elsewhere)).code).toBe('damaged');
});

test('refuses places that only read alike when written one after the other', () => {
  const sealed = sealer.seal(text, { ...place, organizationId: 'a', row: 'bc' });
  expect(refusalOf(() => sealer.open(sealed, { ...place, organizationId: 'ab', row: 'c' })).code).toBe(
    'damaged',
  );
});

test('refuses a value of which any bit was changed', () => {
  const sealed = sealer.seal('short', place);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const tampered = Buffer.from(sealed);
    tampered.writeUInt8(tampered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(refusalOf(() => sealer.open(tampered, place)).code).toMatch(/^(?:damaged|unknown_key)$/);
  }
});

test('refuses a value that was cut short at any length, or made longer', () => {
  const sealed = sealer.seal('short', place);
  for (let length = 0; length < sealed.length; length += 1) {
    expect(refusalOf(() => sealer.open(sealed.subarray(0, length), place)).code).toBe('damaged');
  }
  expect(refusalOf(() => sealer.open(Buffer.concat([sealed, Buffer.of(0)]), place)).code).toBe('damaged');
});

test('refuses what was never sealed', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(64), Buffer.from(text), Buffer.alloc(64, 255)]) {
    expect(refusalOf(() => sealer.open(bytes, place)).code).toBe('damaged');
  }
});

test('refuses a value sealed with another key of the same id', () => {
  const other = createSealer(ringOf(['k1', 2]));
  expect(refusalOf(() => other.open(sealer.seal(text, place), place)).code).toBe('damaged');
});

test('refuses a value sealed with a key that is not configured, and names the key', () => {
  const other = createSealer(ringOf(['k2', 2]));
  const refusal = refusalOf(() => other.open(sealer.seal(text, place), place));
  expect(refusal.code).toBe('unknown_key');
  expect(refusal.message).toContain('"k1"');
});

test('seals with the first key and opens with all of them', () => {
  const rotated = createSealer(ringOf(['k2', 2], ['k1', 1]));
  expect(rotated.keyIds).toEqual(['k2', 'k1']);
  expect(rotated.open(sealer.seal(text, place), place)).toBe(text);
  const sealed = rotated.seal(text, place);
  expect(refusalOf(() => sealer.open(sealed, place)).code).toBe('unknown_key');
});

test('refuses the id of another configured key put in front of a value', () => {
  const both = createSealer(ringOf(['k1', 1], ['k2', 1]));
  const sealed = both.seal(text, place);
  sealed.write('k2', 2, 'latin1');
  expect(refusalOf(() => both.open(sealed, place)).code).toBe('damaged');
});

test('never tells key or text in a refusal', () => {
  const sealed = sealer.seal(text, place);
  sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
  const told = inspect(
    refusalOf(() => sealer.open(sealed, place)),
    { depth: 9 },
  );
  expect(told).not.toContain('grn_');
  expect(told).not.toContain(Buffer.alloc(32, 1).toString('base64'));
});

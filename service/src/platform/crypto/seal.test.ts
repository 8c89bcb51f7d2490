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

const context: SealContext = {
  organizationId: '5b0e8f5c-0000-4000-8000-000000000001',
  table: 'connectors',
  column: 'credentials',
  row: '5b0e8f5c-0000-4000-8000-000000000002',
  owner: { customerId: '5b0e8f5c-0000-4000-8000-000000000003', kind: 'granola', version: 2 },
};
const text = '{"api_key":"grn_Ünïcode","id":1234567890123456789}';
const sealer = createSealer(ringOf(['k1', 1]));

function errorOf(open: () => string): SealError {
  try {
    open();
  } catch (error) {
    if (error instanceof SealError) return error;
    throw error;
  }
  throw new Error('It opened');
}

test('decrypts a value with the context in which it was sealed', () => {
  expect(sealer.open(sealer.seal(text, context), context)).toBe(text);
  expect(sealer.open(sealer.seal('', context), context)).toBe('');
});

test('a sealed value reveals neither its plaintext nor whether two values are equal', () => {
  const sealed = sealer.seal(text, context);
  expect(sealed.includes('grn_')).toBe(false);
  expect(sealer.seal(text, context).equals(sealed)).toBe(false);
});

test.each([
  ['organization', { ...context, organizationId: '5b0e8f5c-0000-4000-8000-000000000009' }],
  ['row', { ...context, row: '5b0e8f5c-0000-4000-8000-000000000009' }],
  // The types do not allow these contexts, but an attacker could move a value in the database.
  ['table', { ...context, table: 'customers' } as unknown as SealContext],
  ['column', { ...context, column: 'name' } as unknown as SealContext],
  [
    'customer',
    { ...context, owner: { ...context.owner, customerId: '5b0e8f5c-0000-4000-8000-000000000009' } },
  ],
  ['connector kind', { ...context, owner: { ...context.owner, kind: 'gong' } }],
  ['version of the credentials', { ...context, owner: { ...context.owner, version: 3 } }],
])('rejects a sealed value that was moved to another %s', (_what, elsewhere) => {
  const sealed = sealer.seal(text, context);
  expect(errorOf(() => sealer.open(sealed, elsewhere)).code).toBe('damaged');
});

test('rejects a sealed value whose format was set to an earlier one', () => {
  const sealed = sealer.seal(text, context);
  expect(sealed[0]).toBe(2);
  sealed[0] = 1;
  expect(errorOf(() => sealer.open(sealed, context)).code).toBe('damaged');
});

test('rejects a context whose parts only match when concatenated', () => {
  const sealed = sealer.seal(text, { ...context, organizationId: 'a', row: 'bc' });
  expect(errorOf(() => sealer.open(sealed, { ...context, organizationId: 'ab', row: 'c' })).code).toBe(
    'damaged',
  );
});

test('rejects a sealed value with any single bit changed', () => {
  const sealed = sealer.seal('short', context);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const tampered = Buffer.from(sealed);
    tampered.writeUInt8(tampered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(errorOf(() => sealer.open(tampered, context)).code).toMatch(/^(?:damaged|unknown_key)$/);
  }
});

test('rejects a sealed value that was truncated to any length or extended', () => {
  const sealed = sealer.seal('short', context);
  for (let length = 0; length < sealed.length; length += 1) {
    expect(errorOf(() => sealer.open(sealed.subarray(0, length), context)).code).toBe('damaged');
  }
  expect(errorOf(() => sealer.open(Buffer.concat([sealed, Buffer.of(0)]), context)).code).toBe('damaged');
});

test('rejects bytes that were never sealed', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(64), Buffer.from(text), Buffer.alloc(64, 255)]) {
    expect(errorOf(() => sealer.open(bytes, context)).code).toBe('damaged');
  }
});

test('rejects a value sealed with another key that has the same id', () => {
  const other = createSealer(ringOf(['k1', 2]));
  expect(errorOf(() => other.open(sealer.seal(text, context), context)).code).toBe('damaged');
});

test('rejects a value whose key is not configured, and reports the key id', () => {
  const other = createSealer(ringOf(['k2', 2]));
  const error = errorOf(() => other.open(sealer.seal(text, context), context));
  expect(error.code).toBe('unknown_key');
  expect(error.message).toContain('"k1"');
});

test('encrypts with the first key and decrypts with any configured key', () => {
  const rotated = createSealer(ringOf(['k2', 2], ['k1', 1]));
  expect(rotated.keyIds).toEqual(['k2', 'k1']);
  expect(rotated.open(sealer.seal(text, context), context)).toBe(text);
  const sealed = rotated.seal(text, context);
  expect(errorOf(() => sealer.open(sealed, context)).code).toBe('unknown_key');
});

test('rejects a sealed value whose key id was replaced with another configured id', () => {
  const [key] = ringOf(['k1', 1]);
  const both = createSealer([key, { ...key, id: 'k2' }]);
  const sealed = both.seal(text, context);
  sealed.write('k2', 2, 'latin1');
  expect(errorOf(() => both.open(sealed, context)).code).toBe('damaged');
});

test('includes neither the key nor the text in an error', () => {
  const sealed = sealer.seal(text, context);
  sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
  const shown = inspect(
    errorOf(() => sealer.open(sealed, context)),
    { depth: 9 },
  );
  expect(shown).not.toContain('grn_');
  expect(shown).not.toContain(Buffer.alloc(32, 1).toString('base64'));
});

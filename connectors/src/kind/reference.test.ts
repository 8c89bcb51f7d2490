import { expect, it } from 'vitest';
import { things } from '../../test/scripted.ts';
import { kinds } from '../kinds.ts';
import { describeKind } from './reference.ts';

it('tells entities, actions, params and records from the declaration', () => {
  const reference = describeKind(things);
  expect(reference.authMethods[0]?.fields).toEqual([
    { path: 'key', type: 'string', isRequired: true, isSecret: false, description: '' },
  ]);
  expect(reference.limits).toEqual(['2 at once, then 1 a second, for each key']);
  expect(reference.entities).toHaveLength(1);
  expect(
    reference.entities[0]?.actions.map(({ name, params }) => [name, params.map(({ path }) => path)]),
  ).toEqual([
    ['list', ['page', 'size']],
    ['create', ['name']],
  ]);
});

it.each(kinds.map(kind => [kind.key, kind] as const))(
  'describes every entity and action of %s',
  (_key, kind) => {
    const reference = describeKind(kind);
    expect(reference.entities.map(({ name }) => name)).toEqual(Object.keys(kind.entities));
    for (const entity of reference.entities) {
      expect(entity.description).not.toBe('');
      for (const { record, summary } of entity.actions) {
        expect(summary).not.toBe('');
        expect(record.length).toBeGreaterThan(0);
        expect(record.every(({ type }) => type !== '')).toBe(true);
      }
    }
  },
);

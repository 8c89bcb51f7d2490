import { setTimeout as delay } from 'node:timers/promises';
import type { Kind } from '@connector-auth/connectors/kind';
import { kindWith } from '../../test/record-fixtures.ts';

/** A kind with two types of data, whose vendor takes one second for each sync of a few records. */
export const slowKind: Kind = kindWith('slow', { things: entity('things'), changes: entity('changes') });

function entity(name: string) {
  return {
    fields: { id: 'integer', name: 'string' } as const,
    primaryKey: ['id'],
    indexed: [],
    text: [],
    sync: {
      incremental: false,
      run: async function* () {
        await delay(1_000);
        yield { records: [1, 2, 3].map(id => ({ id, name: `${name} ${id}` })), position: null };
      },
    },
  };
}

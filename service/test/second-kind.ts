import { kinds } from '@connector-auth/connectors';
import { defineAction, type Kind } from '@connector-auth/connectors/kind';
import { z } from 'zod';

const granola = kinds.find(({ key }) => key === 'granola');
if (granola === undefined) throw new Error('The tests need the kind granola');

/** A kind whose vendor the sandbox simulates. */
export const firstKind: Kind = granola;

/**
 * A second kind for the same vendor, so that tests can distinguish kinds. It also reports the account that an
 * API key belongs to, and has settings and an entity of its own.
 */
export const secondKind: Kind = {
  ...granola,
  key: 'meeting-ledger',
  name: 'Meeting Ledger',
  definitionId: '5b6f9f6e-6f5e-4a34-9f0b-0d3f5a0c7e11',
  supportLevel: 'community',
  settings: z.strictObject({
    folder: z.string().max(50).optional().meta({ title: 'Folder', 'x-audience': 'customer' }),
    depth: z.int().min(1).max(9).optional().meta({ title: 'Depth', 'x-audience': 'integrator' }),
  }),
  entities: {
    ...granola.entities,
    echoes: {
      description: 'Numbers that are returned unchanged',
      actions: {
        get: defineAction({
          summary: 'The same number',
          params: z.strictObject({ number: z.union([z.int(), z.bigint()]) }),
          record: z.object({ number: z.union([z.int(), z.bigint()]) }),
          run: ({ number }) => Promise.resolve({ result: { number }, connector_metadata: null }),
        }),
        create: defineAction({
          summary: 'Writes nothing',
          params: z.strictObject({}),
          record: z.object({}),
          run: () => Promise.resolve({ result: { results: [] }, connector_metadata: null }),
        }),
      },
    },
  },
  check: {
    entity: 'notes',
    action: 'list',
    run: async vendor => {
      await granola.check.run(vendor);
      const account = String(vendor.grant.credentials['api_key']).includes('second') ? 'northquay' : 'lumen';
      return { account, state: { account } };
    },
  },
};

export const bothKinds: readonly Kind[] = [firstKind, secondKind];

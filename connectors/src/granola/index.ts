import { connectorClass } from '../kind/connector.ts';
import { defineKind } from '../kind/kind.ts';
import { asString } from '../kind/record.ts';
import { checkBy } from '../rest/check.ts';
import { apiKey } from './auth.ts';
import { readFailure } from './failure.ts';
import { fieldDescriptions } from './field-descriptions.ts';
import { icon } from './icon.ts';
import { en } from './messages/en.ts';
import { messages } from './messages/index.ts';
import { notes } from './notes.ts';
import { api } from './wire.ts';

export const granola = defineKind({
  key: 'granola',
  name: 'Granola',
  definitionId: '9023923c-002f-4131-9554-3ebdf56540a4',
  description: en.description,
  fieldDescriptions,
  supportLevel: 'certified',
  category: en.category,
  access: { reads: en.reads, changes: [] },
  messages,
  icon,
  environmentPrefix: 'OAUTH_GRANOLA',
  hosts: ['public-api.granola.ai'],
  authMethods: [apiKey],
  // 25 requests in 5 s, then 5 per second, per user or workspace. The key does not reveal which.
  rateLimits: [
    {
      countedBy: 'user',
      subject: ({ credentials }) => asString(credentials['api_key']) ?? '',
      burst: 25,
      perSecond: 5,
    },
  ],
  // 3,000 notes an hour, which takes 20 seconds.
  fullSyncCallsPerHour: 100,
  entities: { notes },
  // A key does not identify its owner.
  check: checkBy(api, { entity: 'notes', path: '/notes', query: { page_size: 1 } }),
  readFailure,
  examples: () => new URL('examples.json', import.meta.url),
});

/** Connector for meeting notes from Granola: `new Granola({ credentials: { api_key } }).notes.list()`. */
export const Granola = connectorClass(granola);

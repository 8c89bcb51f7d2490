import { createClient } from '@connector-auth/api/client';
import { expect, test } from 'vitest';
import { listOfferedSources } from './sign-in.ts';

const source = (id: string, connectorType: string) => ({
  sourceDefinitionId: id,
  name: connectorType,
  iconUrl: 'https://service.example/icon.svg',
  supportLevel: 'certified' as const,
  connectorType,
  description: '',
});
const method = (type: 'oauth' | 'credentials') => ({
  id: type,
  type,
  title: type,
  description: null,
  help_url: null,
  schema: {},
});

test('says where users can sign in, for the sources that the service offers', async () => {
  const sources = [source('1', 'gong'), source('2', 'granola')];
  const { definitions } = createClient({ baseUrl: 'http://127.0.0.1:1', clientId: 'c', clientSecret: 's' });
  const offered = await listOfferedSources({
    definitions: {
      ...definitions,
      list: () => Promise.resolve({ definitions: sources }),
      get: id =>
        Promise.resolve({
          ...(sources.find(each => each.sourceDefinitionId === id) ?? source(id, 'unknown')),
          auth_methods: id === '1' ? [method('oauth'), method('credentials')] : [method('credentials')],
          replication_schema: null,
        }),
    },
  });
  expect(offered).toEqual([
    { key: 'gong', hasSignIn: true },
    { key: 'granola', hasSignIn: false },
  ]);
});

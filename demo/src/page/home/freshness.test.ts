import type { Connector } from '@connector-auth/api';
import { expect, test } from 'vitest';
import { freshnessOf } from './freshness.ts';

const now = Date.parse('2026-11-23T12:00:00Z');
const done = {
  state: 'done',
  records: 40,
  last_synced_at: '2026-11-23T11:58:00.000Z',
  last_error: null,
} as const;

function connector(
  entity: Partial<Connector['sync']['entities'][string]>,
  status: Connector['status'] = 'active',
): Connector {
  return {
    id: 'c',
    name: 'Google Ads',
    customer_name: 'acme',
    connector_type: 'google-ads',
    definition_id: 'd',
    auth_method: 'oauth',
    status,
    replication_config: null,
    sync: { status: 'ready', entities: { campaigns: { ...done, ...entity } }, progress: 0.4 },
    created_at: done.last_synced_at,
    updated_at: done.last_synced_at,
  };
}

test('names the source and when it was updated', () => {
  expect(freshnessOf(connector({}), 'campaigns', now)).toEqual({
    is: 'fresh',
    text: 'Google Ads, updated 2 min ago',
  });
});

test('says that the first import is under way, and how far it is', () => {
  expect(freshnessOf(connector({ last_synced_at: null, state: 'running' }), 'campaigns', now)).toEqual({
    is: 'importing',
    text: 'Importing from Google Ads…',
    progress: 0.4,
  });
});

test('says what to do about an expired sign-in', () => {
  expect(freshnessOf(connector({}, 'needs_reauth'), 'campaigns', now)).toEqual({
    is: 'stale',
    text: 'Your Google Ads sign-in expired. Last updated 2 min ago. Reconnect to get new data.',
    hasToReconnect: true,
  });
});

test('says why an update failed, also before the first one', () => {
  const failed = { state: 'failed', last_synced_at: null, last_error: 'Google Ads returned 500.' } as const;
  expect(freshnessOf(connector(failed), 'campaigns', now)).toMatchObject({
    is: 'stale',
    text: 'Google Ads couldn’t be updated. We’ll try again soon. Google Ads returned 500.',
  });
});

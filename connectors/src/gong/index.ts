import { connectorClass } from '../kind/connector.ts';
import type { Grant } from '../kind/grants.ts';
import { defineKind, type CheckedAccount } from '../kind/kind.ts';
import { perDay } from '../kind/rate-limit.ts';
import { asString } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { accountChoice, requestWorkspaces, workspacesIn } from './account-choice.ts';
import { accessKey, accessToken, oauth } from './auth.ts';
import { callTranscripts } from './call-transcripts.ts';
import { callsExtensive } from './calls-extensive.ts';
import { calls } from './calls.ts';
import { readFailure } from './failure.ts';
import { fieldDescriptions } from './field-descriptions.ts';
import { icon } from './icon.ts';
import { en } from './messages/en.ts';
import { messages } from './messages/index.ts';
import { settings } from './settings.ts';
import { apiHosts } from './tokens.ts';
import { users } from './users.ts';
import { get } from './wire.ts';

export const gong = defineKind({
  key: 'gong',
  name: 'Gong',
  definitionId: '32382e40-3b49-4b99-9c5c-4076501914e7',
  description: en.description,
  fieldDescriptions,
  supportLevel: 'certified',
  category: en.category,
  access: { reads: en.reads, changes: [] },
  messages,
  icon,
  environmentPrefix: 'OAUTH_GONG',
  hosts: ['app.gong.io', ...apiHosts],
  authMethods: [oauth, accessKey, accessToken],
  settings,
  accounts: accountChoice,
  // 3 requests per second and 10,000 per day for the whole company, across all its integrations.
  rateLimits: [
    { countedBy: 'company', subject: companyOf, burst: 1, perSecond: 3 },
    { countedBy: 'company', subject: companyOf, ...perDay(10_000) },
  ],
  // 2,000 calls an hour. The calls and the detailed calls together use at most a tenth of the daily limit.
  fullSyncCallsPerHour: 20,
  entities: {
    users,
    calls,
    calls_extensive: callsExtensive,
    call_transcripts: callTranscripts,
  },
  check: { entity: 'users', action: 'list', run: check },
  readFailure,
  examples: () => new URL('examples.json', import.meta.url),
});

/**
 * Connector for recorded sales calls: `new Gong({ credentials: { access_key, access_key_secret }
 * }).calls.list()`.
 */
export const Gong = connectorClass(gong);

/**
 * Identifies the company by its API host, which access keys do not reveal. An access key without its secret
 * would let anyone who knows it use up the limits of its owner.
 */
function companyOf({ credentials, state }: Grant): string | null {
  const accessKey = asString(credentials['access_key']);
  return (
    asString(state['api_base_url_for_customer']) ??
    (accessKey === null
      ? (asString(credentials['refresh_token']) ?? asString(credentials['access_token']))
      : JSON.stringify([accessKey, credentials['access_key_secret']]))
  );
}

/**
 * Verifies the credentials by listing users. Identifies the company by its oldest workspace, or by its API
 * host if the token cannot list workspaces. The account is unknown if the stored identifier is of one type
 * and the credentials only reveal the other.
 */
async function check(vendor: Vendor, knownAs: string | null = null): Promise<CheckedAccount> {
  await vendor.send(get('/v2/users'));
  const host = asString(vendor.grant.state['api_base_url_for_customer']);
  if (host !== null && host === knownAs) return { account: host };
  const ids = workspacesIn(await requestWorkspaces(vendor)).map(({ id }) => id);
  const oldestFirst = ids.toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1));
  const names = oldestFirst.map(id => `${workspacePrefix}${id}`);
  if (knownAs !== null) {
    if (names.includes(knownAs)) return { account: knownAs };
    const isComparable = knownAs.startsWith(workspacePrefix) ? names.length > 0 : host !== null;
    if (!isComparable) return { account: null };
  }
  return { account: names[0] ?? host };
}

const workspacePrefix = 'workspace ';

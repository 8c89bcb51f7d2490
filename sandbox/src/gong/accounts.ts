import { BUSINESSES, type Business } from '../invented/businesses.ts';

/** A Gong customer account. */
export interface GongAccount {
  readonly id: string;
  readonly company: string;
  readonly domain: string;
  /** The customer's own API host, which token responses include. Tokens work only on this host. */
  readonly apiHost: string;
  readonly userCount: number;
  readonly callCount: number;
  /** The small business whose account it is. Absent for software companies. */
  readonly business?: Business;
}

/** The simulated Gong accounts. */
export const GONG_ACCOUNTS: readonly GongAccount[] = [
  {
    id: 'lumen',
    company: 'Lumen Harbour',
    domain: 'lumenharbour.example',
    apiHost: 'company-17.api.gong.io',
    userCount: 230,
    callCount: 1500,
  },
  {
    id: 'northquay',
    company: 'North Quay',
    domain: 'northquay.example',
    apiHost: 'company-23.api.gong.io',
    userCount: 9,
    callCount: 64,
  },
  {
    id: 'quiet',
    company: 'Quiet Room',
    domain: 'quietroom.example',
    apiHost: 'company-31.api.gong.io',
    userCount: 1,
    callCount: 0,
  },
  ...BUSINESSES.map((business, index): GongAccount => ({
    id: business.id,
    company: business.name,
    domain: business.domain,
    apiHost: `company-${41 + index}.api.gong.io`,
    userCount: 24,
    callCount: 1500,
    business,
  })),
];

/** A documented access key pair. */
export interface GongAccessKey {
  readonly accessKey: string;
  readonly accessKeySecret: string;
  readonly title: string;
  readonly description: string;
  /** The account that the key pair belongs to. Absent for an invalid pair. */
  readonly account?: string;
  /** Why Gong rejects the key pair: `revoked` (status 401) or `untrusted_ip` (status 403). */
  readonly rejection?: 'revoked' | 'untrusted_ip';
}

/** The documented access keys. */
export const GONG_ACCESS_KEYS: readonly GongAccessKey[] = [
  {
    accessKey: 'gong_sandbox_demo',
    accessKeySecret: 'gong_sandbox_demo_secret',
    account: 'lumen',
    title: 'Access key: Lumen Harbour',
    description: '230 users, 1,500 calls over a year, three workspaces.',
  },
  {
    accessKey: 'gong_sandbox_second',
    accessKeySecret: 'gong_sandbox_second_secret',
    account: 'northquay',
    title: 'Access key: North Quay',
    description: 'Another, smaller company.',
  },
  ...BUSINESSES.map(({ id, name }) => ({
    accessKey: `gong_sandbox_${id.replaceAll('-', '_')}`,
    accessKeySecret: `gong_sandbox_${id.replaceAll('-', '_')}_secret`,
    account: id,
    title: `Access key: ${name}`,
    description: '1,500 calls of a small business.',
  })),
  {
    accessKey: 'gong_sandbox_empty',
    accessKeySecret: 'gong_sandbox_empty_secret',
    account: 'quiet',
    title: 'Access key: company without calls',
    description: 'Valid key. Listing calls returns 404, as Gong does when nothing is found.',
  },
  {
    accessKey: 'gong_sandbox_revoked',
    accessKeySecret: 'gong_sandbox_revoked_secret',
    rejection: 'revoked',
    title: 'Revoked access key',
    description: 'Returns 401.',
  },
  {
    accessKey: 'gong_sandbox_untrusted',
    accessKeySecret: 'gong_sandbox_untrusted_secret',
    rejection: 'untrusted_ip',
    title: 'Access key with a trusted-IP list',
    description: 'Called from an address outside the list: returns 403.',
  },
];

/** The scopes of the simulated endpoints, each with a description of the access it grants. */
export const GONG_SCOPES: Readonly<Record<string, string>> = {
  'api:calls:read:basic': 'See calls',
  'api:calls:read:extensive': 'See call participants and topics',
  'api:calls:read:transcript': 'Read call transcripts',
  'api:calls:read:media-url': 'Download call recordings',
  'api:users:read': 'See users',
  'api:workspaces:read': 'See workspaces',
};

/** Returns the account with this id; throws if the id is unknown. */
export function gongAccount(id: string): GongAccount {
  const account = GONG_ACCOUNTS.find(known => known.id === id);
  if (!account) throw new Error(`unknown account: ${id}`);
  return account;
}

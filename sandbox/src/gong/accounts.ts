import { BUSINESSES, type Business } from '../invented/businesses.ts';
import data from './accounts.json' with { type: 'json' };

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
  ...data.accounts,
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
  // The file contains only the values of the type.
  ...(data.keys as readonly GongAccessKey[]),
  ...BUSINESSES.map(({ id, name }) => ({
    accessKey: `gong_sandbox_${id.replaceAll('-', '_')}`,
    accessKeySecret: `gong_sandbox_${id.replaceAll('-', '_')}_secret`,
    account: id,
    title: `Access key: ${name}`,
    description: '1,500 calls of a small business.',
  })),
];

/** The scopes of the simulated endpoints, each with a description of the access it grants. */
export const GONG_SCOPES: Readonly<Record<string, string>> = data.scopes;

/** Returns the account with this id; throws if the id is unknown. */
export function gongAccount(id: string): GongAccount {
  const account = GONG_ACCOUNTS.find(known => known.id === id);
  if (!account) throw new Error(`unknown account: ${id}`);
  return account;
}

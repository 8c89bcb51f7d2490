import { BUSINESSES, type Business } from '../invented/businesses.ts';
import data from './accounts.json' with { type: 'json' };

/** A documented API key. */
export interface GranolaKey {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** The account that the key belongs to. Absent for an invalid key. */
  readonly account?: string;
  /** Why Granola rejects the key: `revoked` (status 401) or `no_plan` (status 403). */
  readonly rejection?: 'revoked' | 'no_plan';
  /**
   * The index of a personal key's owner among the workspace's members. A personal key gives access only
   * to notes that its owner owns and to notes of meetings that its owner attended.
   */
  readonly memberIndex?: number;
}

/** A Granola workspace. */
export interface GranolaAccount {
  readonly id: string;
  readonly company: string;
  readonly domain: string;
  /** The number of finished notes. A few unfinished notes are generated in addition. */
  readonly noteCount: number;
  readonly memberCount: number;
  /** The form of the cursor on the last page of a list. All three forms occur in practice. */
  readonly lastCursor: 'null' | 'absent' | 'stale';
  /** The small business whose account it is. Absent for software companies. */
  readonly business?: Business;
}

/** The simulated Granola workspaces. */
export const GRANOLA_ACCOUNTS: readonly GranolaAccount[] = [
  // The file contains only the values of the type.
  ...(data.accounts as readonly GranolaAccount[]),
  ...BUSINESSES.map((business): GranolaAccount => ({
    id: business.id,
    company: business.name,
    domain: business.domain,
    noteCount: 420,
    memberCount: 24,
    lastCursor: 'null',
    business,
  })),
];

/** The documented API keys. */
export const GRANOLA_KEYS: readonly GranolaKey[] = [
  // The file contains only the values of the type.
  ...(data.keys as readonly GranolaKey[]),
  ...BUSINESSES.map(({ id, name }) => ({
    key: `grn_sandbox_${id.replaceAll('-', '_')}`,
    account: id,
    title: `Workspace key: ${name}`,
    description: '420 notes of a small business.',
  })),
];

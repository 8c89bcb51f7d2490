import { BUSINESSES, type Business } from '../invented/businesses.ts';

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
  {
    id: 'lumen',
    company: 'Lumen Harbour',
    domain: 'lumenharbour.example',
    noteCount: 420,
    memberCount: 24,
    lastCursor: 'null',
  },
  {
    id: 'northquay',
    company: 'North Quay',
    domain: 'northquay.example',
    noteCount: 37,
    memberCount: 6,
    lastCursor: 'stale',
  },
  {
    id: 'quiet',
    company: 'Quiet Room',
    domain: 'quietroom.example',
    noteCount: 0,
    memberCount: 1,
    lastCursor: 'absent',
  },
  {
    id: 'vast',
    company: 'Vast Plains',
    domain: 'vastplains.example',
    noteCount: 5000,
    memberCount: 120,
    lastCursor: 'absent',
  },
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
  {
    key: 'grn_sandbox_demo',
    account: 'lumen',
    title: 'Workspace key: Lumen Harbour',
    description: '420 notes over two years, some with very long transcripts.',
  },
  {
    key: 'grn_sandbox_second',
    account: 'northquay',
    title: 'Workspace key: North Quay',
    description: 'Another company with 37 notes. Its last page still has a cursor.',
  },
  {
    key: 'grn_sandbox_personal',
    account: 'lumen',
    memberIndex: 0,
    title: 'Personal key: Lumen Harbour',
    description: 'Returns only one person’s notes, including private ones.',
  },
  {
    key: 'grn_sandbox_empty',
    account: 'quiet',
    title: 'Workspace key: no notes',
    description: 'Valid key of an empty workspace.',
  },
  {
    key: 'grn_sandbox_large',
    account: 'vast',
    title: 'Workspace key: large workspace',
    description: '5,000 notes, for testing background sync.',
  },
  ...BUSINESSES.map(({ id, name }) => ({
    key: `grn_sandbox_${id.replaceAll('-', '_')}`,
    account: id,
    title: `Workspace key: ${name}`,
    description: '420 notes of a small business.',
  })),
  { key: 'grn_sandbox_revoked', rejection: 'revoked', title: 'Revoked key', description: 'Returns 401.' },
  {
    key: 'grn_sandbox_noplan',
    rejection: 'no_plan',
    title: 'Key without API access',
    description: 'Valid, but the plan does not include the API: returns 403.',
  },
];

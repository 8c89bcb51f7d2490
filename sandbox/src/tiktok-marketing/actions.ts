import { SandboxError } from '../simulator/sandbox-error.ts';
import type { Simulation, VendorContext } from '../simulator/vendor.ts';
import { ADVERTISERS } from './advertisers.ts';
import { TikTokError } from './envelope.ts';

/** Error codes that the next calls return, regardless of what they request. */
export interface PlannedCodes {
  /** Throws the next planned code, if there is one. */
  throwNext(): void;
  plan(code: number, message: string, count: number): void;
}

/** Creates an empty plan. */
export function createPlannedCodes(): PlannedCodes {
  const due: { code: number; message: string }[] = [];
  return {
    throwNext: () => {
      const next = due.shift();
      if (next) throw new TikTokError(next.code, next.message);
    },
    plan: (code, message, count) => {
      for (let call = 0; call < count; call++) due.push({ code, message });
    },
  };
}

/** TikTok's actions. */
export function tiktokActions(
  { tokens }: VendorContext,
  planned: PlannedCodes,
): NonNullable<Simulation['actions']> {
  return {
    /**
     * Input `{owner?}`. Revokes the tokens of one owner or of all owners, as happens when an owner removes
     * the app.
     */
    'revoke-consent': ({ owner }) => {
      const owners = [...new Set(ADVERTISERS.map(advertiser => advertiser.owner))];
      if (owner !== undefined && !owners.some(known => known === owner)) {
        throw new SandboxError(`unknown owner; known owners: ${owners.join(', ')}`);
      }
      tokens.revokeAccount(typeof owner === 'string' ? owner : undefined);
    },
    /** Input `{code, message?, count?}`. Makes the next `count` calls return this code. */
    'answer-code': ({ code, message = 'Task error.', count = 1 }) => {
      if (typeof code !== 'number' || !Number.isInteger(code) || code <= 0) {
        throw new SandboxError('"code" must be an integer above 0, for example 40133');
      }
      if (typeof count !== 'number' || !Number.isInteger(count) || count < 1) {
        throw new SandboxError('"count" must be an integer of at least 1');
      }
      if (typeof message !== 'string') throw new SandboxError('"message" must be a string');
      planned.plan(code, message, count);
    },
  };
}

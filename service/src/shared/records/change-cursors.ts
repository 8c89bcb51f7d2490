import type { KeyRing } from '../../platform/crypto/key-ring.ts';
import { SignedCursors } from '../../platform/crypto/signed-cursors.ts';
import { maxTransactionHours, type FeedState, type LogPosition } from '../repositories/record-changes.ts';

/** A position in the change feed. */
export interface FeedPosition extends LogPosition {
  readonly epoch: string;
  /** How many keys of the entry at the position have been read. */
  readonly keys: number;
  /** All changes from before have been read. */
  readonly timeMs: number;
}

/** The position from which nothing below the horizon is left to read. */
export function endOf({ epoch, horizon, horizonAgeSeconds, readAt }: FeedState): FeedPosition {
  const timeMs = Math.floor(readAt.getTime() - horizonAgeSeconds * 1000);
  return { epoch, xid: horizon, sequence: 0, keys: 0, timeMs };
}

/** Returns why the changes after a position can no longer be read, or null if they can. */
export function expiryOf(
  { epoch, xid, timeMs }: FeedPosition,
  state: FeedState,
): 'restored_or_moved' | 'restored' | 'deleted' | null {
  if (!state.fits || epoch !== state.epoch) return 'restored_or_moved';
  if (xid > state.nextXid) return 'restored';
  const unreadSinceMs = timeMs - maxTransactionHours * 3_600_000;
  if (state.deletedBefore !== null && unreadSinceMs < state.deletedBefore.getTime()) return 'deleted';
  return null;
}

/** Creates and reads the cursors of the change feed. They are signed, and valid for one organization. */
export class ChangeCursors {
  readonly #cursors: SignedCursors<
    readonly [epoch: string, xid: bigint | number, sequence: number, keys: number, timeMs: number]
  >;

  constructor(signingKeys: KeyRing) {
    this.#cursors = new SignedCursors(signingKeys, 'changes cursor');
  }

  write(organizationId: string, { epoch, xid, sequence, keys, timeMs }: FeedPosition): string {
    return this.#cursors.write([epoch, xid, sequence, keys, timeMs], organizationId);
  }

  /** Returns null if the service did not create the cursor for this organization. */
  read(organizationId: string, cursor: string): FeedPosition | null {
    const read = this.#cursors.read(cursor, organizationId);
    if ('error' in read) return null;
    const [epoch, xid, sequence, keys, timeMs] = read.position;
    return { epoch, xid: BigInt(xid), sequence, keys, timeMs };
  }
}

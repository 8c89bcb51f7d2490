import { ConnectorAuthError } from '@connector-auth/api';
import type { Grant, Kind } from '@connector-auth/connectors/kind';
import { entryOfService } from '../../platform/audit-log/entry.ts';
import { SealError } from '../../platform/crypto/seal.ts';
import { retryWrite } from '../../platform/database/retry-write.ts';
import type { Job } from '../../platform/jobs/periodic-job.ts';
import { topics } from '../../platform/notifications/topics.ts';
import { WorkLoop } from '../../platform/notifications/work-loop.ts';
import type { Needs } from '../../shared/core.ts';
import { clientIdOf } from '../../shared/credentials/oauth-apps.ts';
import type { FailedAttempt, RevocationAttempt } from '../../shared/credentials/revoke.ts';
import { grantMethods } from '../../shared/definitions/grant-methods.ts';
import { openSessionGrant } from '../../shared/oauth-sessions/secrets.ts';
import { hasOpenSession } from '../../shared/oauth-sessions/store.ts';
import {
  claimRevocations,
  confirmRevocation,
  delayRevocation,
  dropUnusedGrant,
  findAbandonedGrants,
  type QueuedGrant,
} from '../../shared/repositories/grant-revocations.ts';

export type RevocationContext = Needs<
  'db' | 'sealer' | 'kinds' | 'credentials' | 'notifications' | 'audit' | 'log'
>;

export interface RevocationTuning {
  /** Maximum number of concurrent attempts in this process. A kind that uses half of them starts no more. */
  readonly concurrency?: number;
  /** Poll interval in milliseconds, used when no notification arrives. */
  readonly pollMs?: number;
  /** The time that a process has for an attempt. */
  readonly claimSeconds?: number;
  /** The delay after the first failed attempt. It doubles with each further one, up to an hour. */
  readonly firstDelaySeconds?: number;
}

const maxDelaySeconds = 3_600;

/** The grant cannot be revoked yet, because that could end another one. */
interface Postponed {
  readonly outcome: 'postponed';
  readonly message: string;
}

/**
 * The grant is not revoked, because that could end the grant of a connector or one that is used elsewhere, or because the vendor no longer
 * accepts it.
 */
interface NotNeeded {
  readonly outcome: 'not_needed';
  readonly reason: 'in_use' | 'invalid';
}

/**
 * Revokes the queued grants, in cooperation with the other processes on the database. Attempts for an incident are
 * repeated until the vendor confirms, or the incident is undone. A grant that no connector uses any more is not revoked
 * if that could end the grant of another connector, and is given up after two days, also if its kind is not loaded.
 * Closing the worker cancels running attempts, which another process makes again later.
 */
export function startRevocationWorker(context: RevocationContext, tuning: RevocationTuning = {}): Job {
  return new Worker(context, tuning).start();
}

class Worker {
  readonly #context: RevocationContext;
  readonly #tuning: RevocationTuning;
  readonly #concurrency: number;
  /** The running attempts, by the kinds of their grants. */
  readonly #loop: WorkLoop<string>;

  constructor(context: RevocationContext, tuning: RevocationTuning) {
    this.#context = context;
    this.#tuning = tuning;
    this.#concurrency = tuning.concurrency ?? 16;
    const { pollMs = 5_000 } = tuning;
    this.#loop = new WorkLoop({
      listener: context.notifications.listen(topics.revocationsDue),
      waitMs: () => pollMs,
      fill: async () => {
        await this.#giveUpAbandoned();
        await this.#fill();
      },
      onError: error => context.log.warn('revocations_interrupted', { error }),
    });
  }

  start(): Job {
    this.#loop.run();
    return this.#loop;
  }

  async #giveUpAbandoned(): Promise<void> {
    const { db, kinds } = this.#context;
    for (const queued of await findAbandonedGrants(
      db,
      kinds.all.map(({ key }) => key),
    )) {
      await dropUnusedGrant(db, queued, 'failed');
      this.#logGivenUp(queued, `The kind ${queued.kind} is not loaded`);
    }
  }

  #logGivenUp(
    {
      subjectId,
      kind,
      attempts,
      organizationId,
    }: Pick<QueuedGrant, 'subjectId' | 'kind' | 'attempts' | 'organizationId'>,
    problem: string,
  ): void {
    this.#context.log.warn('revocation_given_up', {
      connector_id: subjectId,
      kind,
      attempts,
      organization_id: organizationId,
      problem,
    });
  }

  /** Starts attempts up to the concurrency limit. */
  async #fill(): Promise<void> {
    const { claimSeconds = 60 } = this.#tuning;
    const limit = this.#concurrency - this.#loop.running.length;
    const kinds = this.#kindsBelowLimit();
    if (limit <= 0 || kinds.length === 0) return;
    for (const queued of await claimRevocations(this.#context.db, { kinds, limit, seconds: claimSeconds })) {
      this.#loop.start(queued.kind, this.#run(queued));
    }
  }

  /** Returns the kinds that use less than half of the attempts, so that a slow vendor cannot use all of them. */
  #kindsBelowLimit(): string[] {
    const { running } = this.#loop;
    return this.#context.kinds.all
      .map(({ key }) => key)
      .filter(key => running.filter(kind => kind === key).length < this.#concurrency / 2);
  }

  async #run(queued: QueuedGrant): Promise<void> {
    const { db, log } = this.#context;
    try {
      const attempt = await this.#attempt(queued);
      const fields = { connector_id: queued.subjectId, kind: queued.kind, attempts: queued.attempts };
      if (attempt.outcome === 'not_needed') {
        const { reason } = attempt;
        await retryWrite(() => dropUnusedGrant(db, queued, reason));
        const { organizationId: organization_id } = queued;
        return log.info('revocation_not_needed', { ...fields, organization_id, reason });
      }
      if (attempt.outcome === 'confirmed') {
        await retryWrite(() => confirmRevocation(db, queued));
        log.info('grant_revoked', fields);
        return;
      }
      const { outcome, message } = attempt;
      if (queued.isUnused && queued.isOverdue) {
        await retryWrite(() => dropUnusedGrant(db, queued, 'failed'));
        this.#logGivenUp(queued, message);
        return;
      }
      const seconds = await this.#delay(queued, attempt);
      if (outcome === 'postponed') log.info('revocation_postponed', { ...fields, retry_after_s: seconds });
      else log.warn('revocation_failed', { ...fields, problem: message, retry_after_s: seconds });
    } catch (error) {
      // The claim ends, and a process makes another attempt.
      log.warn('revocation_interrupted', { connector_id: queued.subjectId, error });
    }
  }

  /** Delays the next attempt, and returns the number of seconds until then. */
  async #delay(queued: QueuedGrant, attempt: FailedAttempt | Postponed): Promise<number> {
    const { firstDelaySeconds = 5 } = this.#tuning;
    const isPostponed = attempt.outcome === 'postponed';
    const seconds = isPostponed
      ? firstDelaySeconds * 12
      : this.#delaySecondsAfter(queued, attempt.retryAfterSeconds);
    const mayBeRevoked = queued.mayBeRevoked || (!isPostponed && attempt.mayHaveArrived);
    const { message } = attempt;
    await retryWrite(() =>
      delayRevocation(this.#context.db, queued, { message, mayBeRevoked, seconds, isPostponed }),
    );
    return seconds;
  }

  #record(queued: QueuedGrant, { outcome }: RevocationAttempt): void {
    const { organizationId, customerId, subjectId, kind, grantVersion } = queued;
    // A grant without a version belongs to a consent that has no connector yet.
    const connectorId = grantVersion === null ? null : subjectId;
    const about = { organizationId, customer: { id: customerId, name: null }, connectorId, kind };
    this.#context.audit.record(
      entryOfService('service', about, {
        action: 'grant.revoked',
        entity: null,
        outcome: outcome === 'confirmed' ? 'ok' : 'vendor_failed',
        records: null,
      }),
    );
  }

  async #attempt(queued: QueuedGrant): Promise<RevocationAttempt | Postponed | NotNeeded> {
    const { credentials } = this.#context;
    const kind = this.#context.kinds.byKey(queued.kind);
    if (kind === null) throw new Error(`Claimed a grant of the unknown kind ${queued.kind}`);
    // If the kind was not loaded when the grant was queued, it was not known whether the grant can be revoked.
    const isRevocable = grantMethods(this.#context.kinds).some(
      ({ method, isConsent, isRevocable, ...of }) =>
        of.kind === queued.kind && method === queued.authMethod && isConsent && isRevocable,
    );
    if (!queued.isOfIncident && !isRevocable) return { outcome: 'not_needed', reason: 'in_use' };
    try {
      const stored = this.#open(queued);
      const { closing } = this.#loop;
      const grant = queued.isUnused ? await this.#checkUnused(queued, kind, stored) : stored;
      if ('outcome' in grant) return grant;
      const attempt = await credentials.attemptRevocation(kind, queued, grant, closing);
      this.#record(queued, attempt);
      return attempt;
    } catch (error) {
      if (!(error instanceof SealError) && !(error instanceof ConnectorAuthError)) throw error;
      return { outcome: 'failed', mayHaveArrived: false, message: error.message, retryAfterSeconds: null };
    }
  }

  /**
   * Returns the grant, which may have been refreshed, unless revoking it could end the grant of a connector, or one that a
   * user is giving at this moment.
   */
  async #checkUnused(queued: QueuedGrant, kind: Kind, stored: Grant): Promise<Grant | Postponed | NotNeeded> {
    const { db, credentials } = this.#context;
    const clientId = clientIdOf(stored);
    if (clientId === null)
      throw new ConnectorAuthError('internal_error', 'The OAuth app of the grant is unknown');
    const postponed = {
      outcome: 'postponed',
      message: 'A consent for the same OAuth app is in progress',
    } as const;
    const of = { kind: queued.kind, clientId };
    if (await hasOpenSession(db, of)) return postponed;
    const found = await credentials.accountsOf(kind, queued.organizationId, stored, this.#loop.closing);
    // There is nothing to revoke, or other grants of the user, which a revocation could end, may work again later.
    if (found === null) return { outcome: 'not_needed', reason: 'invalid' };
    const { grant, accounts } = found;
    // Users continue during the call to the vendor. A consent that has ended since is found by its connector.
    if (await hasOpenSession(db, of)) return postponed;
    const known = queued.account === null ? accounts : [...accounts, queued.account];
    const isInUse = await credentials.isInUse(kind, clientId, known);
    return isInUse ? { outcome: 'not_needed', reason: 'in_use' } : grant;
  }

  #open(queued: QueuedGrant): Grant {
    const { organizationId, customerId, kind, subjectId: id, authMethod, grantVersion, sealedGrant } = queued;
    if (sealedGrant === null) throw new ConnectorAuthError('internal_error', 'The grant no longer exists');
    const owner = { organizationId, customerId, kind, id };
    return grantVersion === null
      ? openSessionGrant(this.#context.sealer, owner, sealedGrant)
      : this.#context.credentials.open({ ...owner, authMethod, grantVersion, sealedGrant });
  }

  #delaySecondsAfter({ attempts }: QueuedGrant, retryAfterSeconds: number | null): number {
    const { firstDelaySeconds = 5 } = this.#tuning;
    const backoff = Math.min(maxDelaySeconds, firstDelaySeconds * 2 ** (attempts - 1));
    return Math.max(backoff, Math.min(maxDelaySeconds, retryAfterSeconds ?? 0));
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError } from '@connector-auth/api';
import { readRetryAfter } from '@connector-auth/connectors/kind';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { AuditLog } from '../../platform/audit-log/audit-log.ts';
import { entryOfService } from '../../platform/audit-log/entry.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import { retryWrite } from '../../platform/database/retry-write.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import { topics } from '../../platform/notifications/topics.ts';
import { WorkLoop } from '../../platform/notifications/work-loop.ts';
import type { Needs } from '../../shared/core.ts';
import { reportChangedRecords } from './changed-records.ts';
import { eventBody, isAheadOfFeed } from './event-body.ts';
import { createMessage, keptResponse } from './message.ts';
import { openSecrets } from './secrets.ts';
import {
  deleteOldEvents,
  disableWebhook,
  findDueWebhooks,
  findFailedWebhooks,
  findWebhook,
  postponeDelivery,
  saveAttempt,
  takeDeliveries,
  type Attempt,
  type Delivery,
  type DueWebhook,
  type StoredWebhook,
  type WebhookRef,
} from './store.ts';

export interface WebhookServices extends Needs<
  'db' | 'sealer' | 'outbound' | 'notifications' | 'changeCursors' | 'horizon' | 'clock' | 'log'
> {
  readonly audit: Pick<AuditLog, 'recordChange'>;
  readonly measures: Measures;
}

interface WorkerContext extends WebhookServices {
  readonly timeoutMs: number;
}

type Measures = ReturnType<typeof createMeasures>;

export function createMeasures(registry: Registry) {
  return {
    attempts: new Counter({
      name: 'connector_auth_webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    switchedOff: new Counter({
      name: 'connector_auth_webhooks_switched_off_total',
      help: 'Webhooks that were disabled because they failed for too long or responded 410',
      registers: [registry],
    }),
    lag: new Gauge({
      name: 'connector_auth_webhook_lag_seconds',
      help: 'How long the oldest due delivery has waited, of any process',
      registers: [registry],
    }),
  };
}

/** The delays after failed attempts. After one attempt more, a delivery has failed. */
const retrySeconds = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600];
/** Adds up to this part of a delay, so that webhooks which failed together are not retried together. */
const jitter = 0.2;
const maxRetryAfterSeconds = 24 * 3600;
const defaultTimeoutMs = 15_000;
/** How long an event waits if the changes that it reports cannot be read yet. */
const postponedSeconds = 2;
/** Longer than an attempt can take. Then, another process makes the next one. */
export const takeSeconds = 60;
/** How much of a response is read. Reading more than is kept finds secrets that begin within. */
const readBytes = 2_000;

/**
 * How many webhooks a process begins to serve at the same time. Organizations share the permits fairly: the next one is for the
 * organization with the fewest, and some are only for those without one. Each webhook waits for at most one permit.
 */
const permitLimits = { maxConcurrent: 64, shared: { reserved: 16 }, maxQueued: Infinity };
/** The failing webhooks of all organizations have the share of one, however many they are. */
const ofFailing = 'failing';
/** A webhook that has not responded by then gives its permit back, so those that do not respond delay no others. */
const maxPermitMs = 500;
/** The maximum number of concurrent requests to a webhook. One that is failing gets one. */
const batchSize = 10;
const maxDueWebhooks = 1_000;
/** How often the queue is read if no notification arrives. */
const pollMs = 2_000;
const housekeepingMs = 60_000;
const deletedPerStep = 1_000;

/**
 * Delivers events to webhooks, in cooperation with the other processes on the database.
 * @param timeoutMs how long to wait for a response.
 */
export function startWebhookWorker(services: WebhookServices, timeoutMs = defaultTimeoutMs): Job {
  const context = { ...services, timeoutMs };
  const delivering = startDelivering(context);
  const housekeeping = startPeriodicJob(
    housekeepingMs,
    signal => keepHouse(context, signal),
    error => context.log.warn('webhook_housekeeping_interrupted', { error }),
  );
  const reporting = startPeriodicJob(
    pollMs,
    () => reportChangedRecords(context.db, context.horizon),
    error => context.log.warn('changed_records_interrupted', { error }),
  );
  return {
    close: async () => {
      await Promise.all([delivering.close(), housekeeping.close(), reporting.close()]);
    },
  };
}

/** Serves the webhooks that have a due delivery. */
function startDelivering(context: WorkerContext): Job {
  const { db, notifications, measures, clock, log } = context;
  const permits = new Semaphore(
    permitLimits,
    () => new ConnectorAuthError('rate_limited', 'Too many webhooks are waiting'),
  );
  /** When the oldest delivery of each webhook that waits for a permit was due. */
  const waiting = new Map<string, Date>();
  const serveInTurn = async (webhook: DueWebhook): Promise<void> => {
    waiting.set(webhook.id, webhook.dueAt);
    const sharer = webhook.isFailing ? ofFailing : webhook.organizationId;
    const release = await permits.acquire(sharer, loop.closing).catch(() => null);
    waiting.delete(webhook.id);
    if (release === null) return;
    const over = new AbortController();
    const serving = serve(context, webhook, loop.closing).finally(() => over.abort());
    await delay(maxPermitMs, undefined, { signal: over.signal }).catch(() => {});
    release();
    await serving;
  };
  const loop = new WorkLoop<string>({
    listener: notifications.listen(topics.webhooksDue),
    waitMs: () => pollMs,
    fill: async () => {
      for (const webhook of await findDueWebhooks(db, loop.running, maxDueWebhooks)) {
        loop.start(webhook.id, serveInTurn(webhook));
      }
      const now = clock.now();
      const oldest = Math.min(now, ...[...waiting.values()].map(dueAt => dueAt.getTime()));
      measures.lag.set((now - oldest) / 1000);
    },
    onError: error => log.warn('webhooks_interrupted', { error }),
  });
  loop.run();
  return loop;
}

/** Makes one attempt for each of the next deliveries of a webhook. Never rejects. */
async function serve(context: WorkerContext, webhook: WebhookRef, closing: AbortSignal): Promise<void> {
  const { db, log } = context;
  try {
    const stored = await findWebhook(db, webhook);
    if (stored === null || stored.disabled_at !== null) return;
    const limit = stored.failing_since === null ? batchSize : 1;
    const deliveries = await takeDeliveries(db, webhook, { limit, seconds: takeSeconds });
    const outcomes = await Promise.all(
      deliveries.map(delivery => attempt(context, stored, delivery, closing)),
    );
    if (outcomes.includes('failed')) await switchOffFailed(context);
  } catch (error) {
    // The deliveries become due again when the time of this process is over.
    log.warn('webhook_interrupted', { webhook_id: webhook.id, error });
  }
}

async function attempt(
  context: WorkerContext,
  stored: StoredWebhook,
  delivery: Delivery,
  closing: AbortSignal,
): Promise<'delivered' | 'failed' | 'unknown'> {
  const body = await readyBody(context, delivery);
  if (body === null) return 'unknown';
  const made = await send(context, stored, { delivery, body }, closing);
  // Whether the event has arrived is unknown, so another process sends it again.
  if (made === null) return 'unknown';
  await recordAttempt(context, delivery, made);
  if (made.status === 410) await switchOff(context, delivery, 'gone');
  return made.isDelivered ? 'delivered' : 'failed';
}

/** Returns the body of an event. Returns null, and gives the delivery back, if the changes that it reports cannot be read yet. */
export async function readyBody(
  { db, changeCursors, horizon }: Pick<WebhookServices, 'db' | 'changeCursors' | 'horizon'>,
  delivery: Delivery,
): Promise<string | null> {
  const feed = delivery.readFrom === null ? null : await horizon.advance();
  if (feed !== null && isAheadOfFeed(delivery, feed)) {
    await postponeDelivery(db, delivery, postponedSeconds);
    return null;
  }
  return JSON.stringify(eventBody(delivery, changeCursors, feed));
}

/** Stores and logs the outcome of an attempt. */
export async function recordAttempt(
  { db, measures, log }: Pick<WorkerContext, 'db' | 'measures' | 'log'>,
  delivery: Delivery,
  made: Attempt,
): Promise<void> {
  const outcome = made.isDelivered ? 'delivered' : 'failed';
  measures.attempts.inc({ outcome });
  log.info('webhook_attempt', {
    organization_id: delivery.organizationId,
    webhook_id: delivery.id,
    event_id: delivery.eventId,
    event: delivery.type,
    attempts: delivery.attempts,
    outcome,
    status: made.status,
    retry_after_s: made.retrySeconds,
  });
  await retryWrite(() => saveAttempt(db, delivery, made));
}

/** Sends an event. Returns null if this process stops before the response. */
async function send(
  { sealer, outbound, clock, timeoutMs }: WorkerContext,
  stored: StoredWebhook,
  { delivery, body }: { readonly delivery: Delivery; readonly body: string },
  closing: AbortSignal,
): Promise<Attempt | null> {
  const now = clock.now();
  const secrets = openSecrets(sealer, stored, now);
  const message = createMessage(delivery.eventId, body, secrets, now);
  const keep = (text: string) => keptResponse(text, secrets, message.headers['webhook-signature'] ?? '');
  try {
    const response = await outbound.post(stored.url, message, {
      timeoutMs,
      maxBytes: readBytes,
      signal: closing,
    });
    const wanted = readRetryAfter(response.retryAfter, now);
    return attemptOf(delivery, response.status, keep(response.text), wanted);
  } catch (error) {
    if (closing.aborted) return null;
    return attemptOf(delivery, null, keep(error instanceof Error ? error.message : 'The request failed'));
  }
}

/**
 * Returns the outcome of an attempt, from the status of the response.
 * @param wantedSeconds the delay that the response asks for, if any.
 */
export function attemptOf(
  { attempts }: Delivery,
  status: number | null,
  response: string,
  wantedSeconds: number | null = null,
): Attempt {
  const isDelivered = status !== null && status >= 200 && status < 300;
  const retrySeconds = isDelivered || status === 410 ? null : delayAfter(attempts, wantedSeconds);
  return { isDelivered, status, response, retrySeconds };
}

/** Returns the delay after an attempt, which is at least what the webhook asks for; null after the last one. */
function delayAfter(attempts: number, wanted: number | null): number | null {
  const seconds = retrySeconds[attempts - 1];
  if (seconds === undefined) return null;
  const wait = seconds * (1 + Math.random() * jitter);
  return Math.max(wait, Math.min(wanted ?? 0, maxRetryAfterSeconds));
}

/** Disables webhooks that have failed for too long, and deletes old events. */
async function keepHouse(context: WebhookServices, closing: AbortSignal): Promise<void> {
  const { db } = context;
  await switchOffFailed(context);
  while (!closing.aborted && (await deleteOldEvents(db, deletedPerStep)) === deletedPerStep) {
    await delay(100, undefined, { signal: closing }).catch(() => {});
  }
}

async function switchOffFailed(context: WebhookServices): Promise<void> {
  for (const webhook of await findFailedWebhooks(context.db)) await switchOff(context, webhook, 'failing');
}

async function switchOff(
  { db, audit, measures, log }: WebhookServices,
  { organizationId, id }: WebhookRef,
  reason: 'failing' | 'gone',
): Promise<void> {
  const isNew = await db
    .transaction()
    .execute(transaction => disableWebhook(transaction, { organizationId, id }, reason));
  if (!isNew) return;
  measures.switchedOff.inc();
  log.warn('webhook_switched_off', { organization_id: organizationId, webhook_id: id, reason });
  audit.recordChange(
    entryOfService(
      'service',
      { organizationId, targetId: id },
      { action: 'webhook.switched_off', entity: null, outcome: 'ok', records: null },
    ),
  );
}

import { randomUUID } from 'node:crypto';
import {
  ConnectorAuthError,
  isListenUrl,
  maxWebhooks,
  previousSecretHours,
  type CreateWebhookRequest,
  type EventName,
  type ReplayRequest,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '@connector-auth/api';
import type { Needs } from '../../shared/core.ts';
import { readFeedState } from '../../shared/repositories/record-changes.ts';
import { eventBody } from './event-body.ts';
import { generateSecret, openSecrets, sealSecret } from './secrets.ts';
import {
  findWebhook,
  insertWebhook,
  listDeliveries,
  queueAgain,
  replaceSecret,
  updateWebhook,
  type EventSelection,
  type StoredWebhook,
  type WebhookRef,
} from './store.ts';

export type WebhooksContext = Needs<'db' | 'sealer' | 'outbound' | 'changeCursors' | 'clock'>;

/** @throws ConnectorAuthError `too_many_webhooks`; `invalid_params` if events cannot be sent to the URL. */
export async function createWebhook(
  { db, sealer, outbound }: WebhooksContext,
  organizationId: string,
  { url, description = null, events = null }: CreateWebhookRequest,
): Promise<WebhookWithSecret> {
  requireUrl(outbound, url);
  const webhook = { organizationId, id: randomUUID() };
  const secret = generateSecret();
  const sealed = sealSecret(sealer, webhook, 'secret', secret);
  const stored = await insertWebhook(
    db,
    { ...webhook, url, description, events, secret: sealed },
    maxWebhooks,
  );
  if (stored !== null) return { ...toWebhook(stored), secret };
  throw new ConnectorAuthError(
    'too_many_webhooks',
    `The organization already has ${maxWebhooks} webhooks. Delete one first`,
  );
}

/** @throws ConnectorAuthError `webhook_not_found`; `invalid_params` if events cannot be sent to the URL. */
export async function editWebhook(
  { db, outbound }: WebhooksContext,
  webhook: WebhookRef,
  { enabled, url, description, events }: UpdateWebhookRequest,
): Promise<Webhook> {
  if (url !== undefined) requireUrl(outbound, url);
  const stored = await updateWebhook(db, webhook, {
    enabled,
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events }),
  });
  return toWebhook(stored ?? notFound());
}

/** @throws ConnectorAuthError `webhook_not_found`. */
export async function rotateSecret(
  { db, sealer, clock }: WebhooksContext,
  webhook: WebhookRef,
  hours: number = previousSecretHours.default,
): Promise<WebhookWithSecret> {
  for (;;) {
    const stored = await requireWebhook(db, webhook);
    const [current] = openSecrets(sealer, stored, clock.now());
    const secret = generateSecret();
    const replaced = await replaceSecret(
      db,
      webhook,
      {
        known: stored.secret,
        secret: sealSecret(sealer, webhook, 'secret', secret),
        previous: sealSecret(sealer, webhook, 'previous_secret', current),
      },
      hours,
    );
    // Otherwise, it was replaced or re-encrypted in the meantime.
    if (replaced !== null) return { ...toWebhook(replaced), secret };
  }
}

/** Queues events again. @throws ConnectorAuthError `webhook_not_found`; `event_not_found`. */
export async function resend(
  { db }: Pick<WebhooksContext, 'db'>,
  webhook: WebhookRef,
  selection: EventSelection,
): Promise<number> {
  await requireWebhook(db, webhook);
  const count = await queueAgain(db, webhook, selection);
  if (count !== null) return count;
  throw new ConnectorAuthError(
    'event_not_found',
    'No event with this id was or is to be sent to the webhook',
  );
}

export function selectionOf({
  since,
  after_event,
  include_delivered = false,
}: ReplayRequest): EventSelection {
  if (after_event !== undefined) return { afterEvent: after_event, includesDelivered: include_delivered };
  return { since: since === undefined ? null : new Date(since), includesDelivered: include_delivered };
}

/** @throws ConnectorAuthError `webhook_not_found`. */
export async function readDeliveries(
  { db, changeCursors }: Pick<WebhooksContext, 'db' | 'changeCursors'>,
  webhook: WebhookRef,
  state: WebhookDelivery['state'] | undefined,
  page: Parameters<typeof listDeliveries>[3],
) {
  await requireWebhook(db, webhook);
  const { rows, meta } = await listDeliveries(db, webhook, state, page);
  const feed = rows.some(({ readFrom }) => readFrom !== null) ? await readFeedState(db) : null;
  const data = rows.map(row => ({
    event_id: row.eventId,
    // Triggers insert only the types of the contract.
    type: row.type as EventName,
    body: eventBody(row, changeCursors, feed),
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: row.dueAt?.toISOString() ?? null,
    last_attempt_at: row.lastAttemptAt?.toISOString() ?? null,
    last_status: row.lastStatus,
    last_response: row.lastResponse,
    created_at: row.createdAt.toISOString(),
  }));
  return { data, meta };
}

/** @throws ConnectorAuthError `webhook_not_found`. */
export async function requireWebhook(db: WebhooksContext['db'], webhook: WebhookRef): Promise<StoredWebhook> {
  return (await findWebhook(db, webhook)) ?? notFound();
}

export function notFound(): never {
  throw new ConnectorAuthError('webhook_not_found', 'The organization has no webhook with this id');
}

function requireUrl(outbound: WebhooksContext['outbound'], url: string): void {
  if (isListenUrl(url)) return;
  const message = outbound.explainRejection(url);
  if (message !== null) throw ConnectorAuthError.invalid('invalid_params', [{ path: 'url', message }]);
}

export function toWebhook(stored: StoredWebhook): Webhook {
  const { disabled_at: disabledAt, failing_since: failingSince } = stored;
  return {
    id: stored.id,
    url: stored.url,
    description: stored.description,
    // The contract has validated them.
    events: stored.events as [EventName, ...EventName[]] | null,
    status: disabledAt !== null ? 'disabled' : failingSince !== null ? 'failing' : 'active',
    disabled_reason: stored.disabled_reason,
    failing_since: failingSince?.toISOString() ?? null,
    disabled_at: disabledAt?.toISOString() ?? null,
    previous_secret_expires_at: stored.previous_secret_expires_at?.toISOString() ?? null,
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at.toISOString(),
  };
}

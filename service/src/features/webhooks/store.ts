/** The SQL for `webhooks`, `webhook_events` and `webhook_deliveries`, except the triggers that insert events. */
import { eventHistoryDays, maxFailureDays, type PageMeta, type WebhookDelivery } from '@connector-auth/api';
import { sql, type Kysely, type Selectable } from 'kysely';
import { z } from 'zod';
import { decodeCursor, toPage } from '../../platform/database/paging.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { jsonb } from '../../platform/database/values.ts';
import { isEnabled } from '../../shared/repositories/organizations.ts';
import type { StoredEvent } from './event-body.ts';

/** Identifies a webhook of an organization. */
export interface WebhookRef {
  readonly organizationId: string;
  readonly id: string;
}

export type StoredWebhook = Selectable<Tables['webhooks']>;

/** Inserts a webhook unless the organization has the maximum number. */
export async function insertWebhook(
  db: Kysely<Tables>,
  webhook: WebhookRef & Pick<StoredWebhook, 'url' | 'description' | 'events' | 'secret'>,
  limit: number,
): Promise<StoredWebhook | null> {
  const { organizationId: organization_id, ...columns } = webhook;
  return db.transaction().execute(async transaction => {
    // Requests of the same organization count one after the other.
    await sql`select from organizations where id = ${organization_id} for no key update`.execute(transaction);
    const present = await listWebhooks(transaction, organization_id);
    if (present.length >= limit) return null;
    return transaction
      .insertInto('webhooks')
      .values({ organization_id, ...columns })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

export async function listWebhooks(
  db: Kysely<Tables>,
  organizationId: string,
): Promise<readonly StoredWebhook[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findWebhook(
  db: Kysely<Tables>,
  { organizationId, id }: WebhookRef,
): Promise<StoredWebhook | null> {
  const row = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

type Changes = Partial<Pick<StoredWebhook, 'url' | 'description' | 'events'>>;

/**
 * Changes a webhook. Enabling it forgets its failures; disabling it ends its pending deliveries.
 * @param changes.enabled leaves the webhook as it is if omitted or already so.
 */
export async function updateWebhook(
  db: Kysely<Tables>,
  webhook: WebhookRef,
  { enabled, ...changes }: Changes & { readonly enabled?: boolean | undefined },
): Promise<StoredWebhook | null> {
  return db.transaction().execute(async transaction => {
    await updateOf(transaction, webhook)
      .set({ ...changes, updated_at: sql<Date>`now()` })
      .execute();
    if (enabled === false) await disableWebhook(transaction, webhook, 'caller');
    if (enabled === true) {
      await updateOf(transaction, webhook)
        .set({ disabled_at: null, disabled_reason: null, failing_since: null })
        .where('disabled_at', 'is not', null)
        .execute();
    }
    return findWebhook(transaction, webhook);
  });
}

/** Replaces the secret. The previous one signs events for some more hours. */
export async function replaceSecret(
  db: Kysely<Tables>,
  webhook: WebhookRef,
  secrets: { readonly known: Uint8Array; readonly secret: Uint8Array; readonly previous: Uint8Array },
  hours: number,
): Promise<StoredWebhook | null> {
  const row = await updateOf(db, webhook)
    .set({
      secret: secrets.secret,
      previous_secret: hours === 0 ? null : secrets.previous,
      previous_secret_expires_at:
        hours === 0 ? null : sql<Date>`now() + make_interval(hours => ${hours}::integer)`,
      updated_at: sql<Date>`now()`,
    })
    .where('secret', '=', secrets.known)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteWebhook(
  db: Kysely<Tables>,
  { organizationId, id }: WebhookRef,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhooks')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Inserts an event for one webhook, also if it does not receive others. Returns the event's id. */
export async function insertTestEvent(
  db: Kysely<Tables>,
  { organizationId, id }: WebhookRef,
): Promise<string> {
  const event = await db
    .insertInto('webhook_events')
    .values({
      organization_id: organizationId,
      type: 'webhook.test',
      data: jsonb({ organization_id: organizationId, webhook_id: id }),
      webhook_id: id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return event.id;
}

/** Which events {@link queueAgain} sends. */
export type EventSelection =
  /** Null is the time at which the webhook was created. */
  | { readonly since: Date | null; readonly includesDelivered: boolean }
  | { readonly afterEvent: string; readonly includesDelivered: boolean }
  | { readonly onlyEvent: string };

/**
 * Queues events for a webhook, with a new series of attempts. Returns their number, or null if the named event does not
 * exist or the webhook does not receive it.
 */
export async function queueAgain(
  db: Kysely<Tables>,
  { organizationId, id }: WebhookRef,
  selection: EventSelection,
): Promise<number | null> {
  return db.transaction().execute(async transaction => {
    const named =
      'since' in selection ? null : 'onlyEvent' in selection ? selection.onlyEvent : selection.afterEvent;
    const position = named === null ? null : await findPosition(transaction, organizationId, named);
    if (named !== null && position === null) return null;
    const isSelected =
      'since' in selection
        ? sql`events.created_at >= coalesce(${selection.since}, webhooks.created_at)`
        : 'onlyEvent' in selection
          ? sql`events.position = ${position}`
          : sql`events.position > ${position}`;
    const isRepeated = 'onlyEvent' in selection || selection.includesDelivered;
    const { rows } = await sql`
      insert into webhook_deliveries as deliveries (organization_id, webhook_id, position)
      select webhooks.organization_id, webhooks.id, events.position
      from webhooks join webhook_events as events on events.organization_id = webhooks.organization_id
      where webhooks.organization_id = ${organizationId} and webhooks.id = ${id}
        and case when events.webhook_id is null then webhooks.events is null or events.type = any(webhooks.events)
          else events.webhook_id = webhooks.id end
        and ${isSelected}
      on conflict (organization_id, webhook_id, position) do update
        set state = 'pending', attempts = 0, due_at = now()
        where ${isRepeated} or deliveries.state = 'failed'
      returning position`.execute(transaction);
    return 'onlyEvent' in selection && rows.length === 0 ? null : rows.length;
  });
}

async function findPosition(db: Kysely<Tables>, organizationId: string, id: string): Promise<number | null> {
  const event = await db
    .selectFrom('webhook_events')
    .select('position')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return event?.position ?? null;
}

const cursorOfPage = z.tuple([z.int().nonnegative()]);

/** Returns a page of a webhook's deliveries, the newest event first. */
export async function listDeliveries(
  db: Kysely<Tables>,
  webhook: WebhookRef,
  state: WebhookDelivery['state'] | undefined,
  page: { readonly limit: number; readonly cursor: string | undefined },
) {
  const before = decodeCursor(page.cursor, cursorOfPage)?.[0];
  const found = await deliveriesOf(db, webhook)
    .select([
      'state',
      'due_at as dueAt',
      'last_attempt_at as lastAttemptAt',
      'last_status as lastStatus',
      'last_response as lastResponse',
    ])
    .$if(state !== undefined, query => query.where('state', '=', state ?? 'pending'))
    .$if(before !== undefined, query => query.where('webhook_deliveries.position', '<', before ?? 0))
    .orderBy('webhook_deliveries.position', 'desc')
    .limit(page.limit + 1)
    .execute();
  const result: { rows: readonly (typeof found)[number][]; meta: PageMeta } = toPage(
    found,
    page.limit,
    last => [last.position],
  );
  return result;
}

/** Returns the pending deliveries of a webhook for some events. */
export async function findPending(
  db: Kysely<Tables>,
  webhook: WebhookRef,
  eventIds: readonly string[],
): Promise<readonly Delivery[]> {
  return deliveriesOf(db, webhook)
    .where('webhook_events.id', 'in', eventIds)
    .where('state', '=', 'pending')
    .execute();
}

function deliveriesOf(db: Kysely<Tables>, { organizationId, id }: WebhookRef) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', join =>
      join
        .onRef('webhook_events.organization_id', '=', 'webhook_deliveries.organization_id')
        .onRef('webhook_events.position', '=', 'webhook_deliveries.position'),
    )
    .select([
      'webhook_deliveries.organization_id as organizationId',
      'webhook_deliveries.webhook_id as id',
      'webhook_deliveries.position',
      'attempts',
      'webhook_events.id as eventId',
      'type',
      'data',
      'read_from as readFrom',
      'created_at as createdAt',
    ])
    .where('webhook_deliveries.organization_id', '=', organizationId)
    .where('webhook_deliveries.webhook_id', '=', id);
}

/** The condition that the service sends the events of a webhook. Those of the others are received with requests. */
const isSent = sql<boolean>`webhooks.url not like 'listen:%'`;

/** A webhook with a delivery that is due. */
export interface DueWebhook extends WebhookRef {
  /** When its oldest due delivery was due. */
  readonly dueAt: Date;
  readonly isFailing: boolean;
}

/**
 * Returns the webhooks with a due delivery, the one that has waited longest first. Finds each webhook in the index of pending
 * deliveries, so what it costs depends on the number of these webhooks and not on that of their deliveries.
 * @param besides the ids of webhooks to leave out.
 */
export async function findDueWebhooks(
  db: Kysely<Tables>,
  besides: readonly string[],
  limit: number,
): Promise<readonly DueWebhook[]> {
  const { rows } = await sql<DueWebhook>`
    with recursive pending as (
      (select organization_id, webhook_id from webhook_deliveries where due_at is not null
        order by organization_id, webhook_id limit 1)
      union all
      select next.* from pending cross join lateral (
        select organization_id, webhook_id from webhook_deliveries
        where due_at is not null and (organization_id, webhook_id) > (pending.organization_id, pending.webhook_id)
        order by organization_id, webhook_id limit 1
      ) next
    )
    select pending.organization_id as "organizationId", pending.webhook_id as id, first.due_at as "dueAt",
      webhooks.failing_since is not null as "isFailing"
    from pending
    join webhooks on webhooks.organization_id = pending.organization_id and webhooks.id = pending.webhook_id
    join organizations on organizations.id = pending.organization_id and ${isEnabled}
    cross join lateral (
      select due_at from webhook_deliveries
      where organization_id = pending.organization_id and webhook_id = pending.webhook_id and due_at <= now()
      order by due_at limit 1
    ) first
    where webhooks.disabled_at is null and ${isSent} and webhooks.id <> all(${[...besides]}::uuid[])
    order by first.due_at limit ${limit}`.execute(db);
  return rows;
}

/** A delivery that this process attempts, with its event. */
export interface Delivery extends WebhookRef, StoredEvent {
  readonly position: number;
  readonly attempts: number;
  readonly eventId: string;
}

/** Takes due deliveries of a webhook for some seconds. Skips those that other processes are taking. */
export async function takeDeliveries(
  db: Kysely<Tables>,
  { organizationId, id }: WebhookRef,
  { limit, seconds }: { readonly limit: number; readonly seconds: number },
): Promise<readonly Delivery[]> {
  const { rows } = await sql<Delivery>`
    with chosen as (
      select organization_id, webhook_id, position from webhook_deliveries
      where organization_id = ${organizationId} and webhook_id = ${id} and due_at <= now()
      order by due_at, position limit ${limit} for update skip locked
    ), taken as (
      update webhook_deliveries as deliveries
      set attempts = attempts + 1, due_at = now() + make_interval(secs => ${seconds}), last_attempt_at = now()
      from chosen
      where deliveries.organization_id = chosen.organization_id and deliveries.webhook_id = chosen.webhook_id
        and deliveries.position = chosen.position
      returning deliveries.organization_id, deliveries.webhook_id, deliveries.position, deliveries.attempts
    )
    select taken.organization_id as "organizationId", taken.webhook_id as id, taken.position, taken.attempts,
      events.id as "eventId", events.type, events.data, events.read_from as "readFrom",
      events.created_at as "createdAt"
    from taken join webhook_events as events
      on events.organization_id = taken.organization_id and events.position = taken.position
    order by taken.position`.execute(db);
  return rows;
}

/** Gives a delivery back that was taken too early, without an attempt. */
export async function postponeDelivery(
  db: Kysely<Tables>,
  { organizationId, id, position, attempts }: Delivery,
  seconds: number,
): Promise<void> {
  await sql`
    update webhook_deliveries set attempts = attempts - 1, due_at = now() + make_interval(secs => ${seconds}),
      last_attempt_at = case when attempts > 1 then last_attempt_at end
    where organization_id = ${organizationId} and webhook_id = ${id} and position = ${position}
      and state = 'pending' and attempts = ${attempts}`.execute(db);
}

/** The outcome of an attempt. */
export interface Attempt {
  readonly isDelivered: boolean;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly response: string;
  /** When to make the next attempt; null if this was the last one. */
  readonly retrySeconds: number | null;
}

/** Stores the outcome of an attempt, and whether the webhook is failing. */
export async function saveAttempt(
  db: Kysely<Tables>,
  { organizationId, id, position, attempts }: Delivery,
  { isDelivered, status, response, retrySeconds }: Attempt,
): Promise<void> {
  const isOver = isDelivered || retrySeconds === null;
  await sql`
    with saved as (
      update webhook_deliveries set
        state = ${isDelivered ? 'delivered' : isOver ? 'failed' : 'pending'},
        due_at = ${isOver ? null : sql`now() + make_interval(secs => ${retrySeconds})`},
        last_status = ${status}, last_response = ${response}
      where organization_id = ${organizationId} and webhook_id = ${id} and position = ${position}
        and state = 'pending' and attempts = ${attempts}
    )
    update webhooks set failing_since = ${isDelivered ? null : sql`now()`}
    where organization_id = ${organizationId} and id = ${id}
      and (failing_since is null) = ${!isDelivered} and disabled_at is null`.execute(db);
}

/** Disables a webhook and ends its pending deliveries. Returns false if it was disabled before. */
export async function disableWebhook(
  db: Kysely<Tables>,
  webhook: WebhookRef,
  reason: NonNullable<StoredWebhook['disabled_reason']>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, webhook)
    .set({ disabled_at: sql<Date>`now()`, disabled_reason: reason, updated_at: sql<Date>`now()` })
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', due_at: null })
    .where('organization_id', '=', webhook.organizationId)
    .where('webhook_id', '=', webhook.id)
    .where('due_at', 'is not', null)
    .execute();
  return true;
}

/** Returns the webhooks that have failed for the maximum time. */
export async function findFailedWebhooks(db: Kysely<Tables>): Promise<readonly WebhookRef[]> {
  return db
    .selectFrom('webhooks')
    .select(['organization_id as organizationId', 'id'])
    .where('disabled_at', 'is', null)
    .where('failing_since', '<=', sql<Date>`now() - make_interval(days => ${maxFailureDays})`)
    .where(isSent)
    .execute();
}

/** Deletes up to `limit` events whose time is over, with their deliveries. Returns their number. */
export async function deleteOldEvents(db: Kysely<Tables>, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from webhook_events where (organization_id, position) in (
      select organization_id, position from webhook_events
      where created_at < now() - make_interval(days => ${eventHistoryDays})
      order by created_at limit ${limit})`.execute(db);
  return Number(numAffectedRows);
}

function updateOf(db: Kysely<Tables>, { organizationId, id }: WebhookRef) {
  return db.updateTable('webhooks').where('organization_id', '=', organizationId).where('id', '=', id);
}

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import { until } from '../../../test/until.ts';
import { type Database } from '../database/database.ts';
import { createLog, silentLog } from '../log/log.ts';
import { openNotifications, type Listener, type Notifications } from './notifications.ts';

const longMs = 60_000;

describe.each(engines)('on %s', engine => {
  let place: TestDatabase;
  let database: Database;
  let notifications: Notifications;
  /** On PostgreSQL, simulates another process. On PGlite, it is the same object as `notifications`. */
  let sender: Notifications;
  let url: string | null;

  beforeAll(async () => {
    place = await makeDatabase(engine);
    database = await openTestDatabase(place.location);
    url = 'databaseUrl' in place.location ? place.location.databaseUrl : null;
    notifications = openNotifications(database, url, silentLog);
    sender = url === null ? notifications : openNotifications(database, url, silentLog);
    if (url !== null) await untilConnected(notifications);
  });
  afterAll(async () => {
    await notifications.close();
    await sender.close();
    await database.close();
    await place.remove();
  });

  /**
   * Waits until all earlier notifications have been delivered. PostgreSQL delivers notifications in order.
   */
  async function untilDelivered(): Promise<void> {
    const marker = notifications.listen('marker');
    await sender.notify('marker');
    await marker.next(longMs);
    marker.close();
    await new Promise(setImmediate);
  }

  /** Returns whether the notifications sent so far wake the listener. */
  async function isWoken(listener: Listener): Promise<boolean> {
    const stop = new AbortController();
    const woken = listener.next(longMs, stop.signal).then(() => !stop.signal.aborted);
    await untilDelivered();
    stop.abort();
    return woken;
  }

  test('wakes every listener for the topic and no others', async () => {
    const listeners = ['a', 'a', 'b'].map(topic => notifications.listen(topic));
    await notifications.notify('a');
    expect(await Promise.all(listeners.map(isWoken))).toEqual([true, true, false]);
    for (const listener of listeners) listener.close();
  });

  test('wakes a listener once for all notifications sent before it waits', async () => {
    const listener = notifications.listen('once');
    await notifications.notify('once');
    await notifications.notify('once');
    await untilDelivered();
    expect(await isWoken(listener)).toBe(true);
    expect(await isWoken(listener)).toBe(false);
    listener.close();
  });

  test('a listener stops waiting after the time limit or when the signal aborts', async () => {
    const listener = notifications.listen('silence');
    await expect(listener.next(5)).resolves.toBeUndefined();
    await expect(listener.next(longMs, AbortSignal.abort())).resolves.toBeUndefined();
    await expect(listener.next(longMs, AbortSignal.timeout(5))).resolves.toBeUndefined();
    listener.close();
  });

  if (engine === 'postgres') {
    test('notifications reach another process again after it has reconnected', async () => {
      const lines: string[] = [];
      const log = createLog({ destination: { write: line => void lines.push(line) } });
      const receiver = openNotifications(database, url, log);
      await untilConnected(receiver);
      const client = new Client({ connectionString: String(url) });
      await client.connect();
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'connector-auth notifications' and datname = current_database()",
      );
      await client.end();
      await until(() => expect(lines.join('')).toContain('signals_interrupted'));
      await untilConnected(receiver);
      const listener = receiver.listen('far');
      await notifications.notify('far');
      const timeout = AbortSignal.timeout(longMs);
      await listener.next(longMs * 2, timeout);
      expect(timeout.aborted).toBe(false);
      listener.close();
      await receiver.close();
    });
  }
});

/**
 * Waits until the process is connected to the PostgreSQL server. It has a liveness id only while it is
 * connected.
 */
async function untilConnected(notifications: Notifications): Promise<void> {
  await until(() => expect(notifications.livenessId()).not.toBeNull());
}

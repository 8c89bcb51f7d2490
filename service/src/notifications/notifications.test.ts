import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, makeDatabase, type TestDatabase } from '../../test/engines.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { silentLog } from '../log/log.ts';
import { openNotifications, type Notifications } from './notifications.ts';

const longMs = 60_000;

describe.each(engines)('notifications on %s', engine => {
  let place: TestDatabase;
  let database: Database;
  let notifications: Notifications;
  let url: string | null;

  beforeAll(async () => {
    place = await makeDatabase(engine);
    database = await openDatabase(place.location, { log: silentLog });
    url = 'databaseUrl' in place.location ? place.location.databaseUrl : null;
    notifications = openNotifications(database, url, silentLog);
  });
  afterAll(async () => {
    await notifications.close();
    await database.close();
    await place.remove();
  });

  /** A line that is made rings for everyone, for what was signalled before. */
  const isLineUp = async (): Promise<void> => {
    if (url === null) return;
    const listener = notifications.listen('line');
    await listener.next(5_000);
    listener.close();
  };

  test('wake everyone who listens to the topic, and nobody else', async () => {
    await isLineUp();
    const [one, two, elsewhere] = ['a', 'a', 'b'].map(topic => notifications.listen(topic));
    const woken = Promise.all([one?.next(longMs), two?.next(longMs)]);
    let isElsewhereWoken = false;
    const stop = new AbortController();
    const other = elsewhere?.next(longMs, stop.signal).then(() => (isElsewhereWoken = !stop.signal.aborted));
    await notifications.notify('a');
    await woken;
    stop.abort();
    await other;
    expect(isElsewhereWoken).toBe(false);
    for (const listener of [one, two, elsewhere]) listener?.close();
  });

  test('sent between a look and the wait are not missed, and ring once', async () => {
    // A topic of its own: on PostgreSQL the notification of an earlier signal may still be on its way.
    const listener = notifications.listen('once');
    await notifications.notify('once');
    await listener.next(longMs);
    const startedAt = performance.now();
    // On PostgreSQL the notification of one's own signal may come a moment later.
    await listener.next(200);
    await listener.next(20);
    expect(performance.now() - startedAt).toBeGreaterThan(15);
    listener.close();
  });

  test('do not hold who gives up or has waited long enough', async () => {
    const listener = notifications.listen('a');
    await listener.next(5);
    await listener.next(longMs, AbortSignal.abort());
    await listener.next(longMs, AbortSignal.timeout(5));
    listener.close();
  });

  if (engine === 'postgres') {
    test('reach other processes, also after their connection was lost', async () => {
      const elsewhere = openNotifications(database, url, silentLog);
      const heard = async (): Promise<void> => {
        const listener = elsewhere.listen('far');
        // The line may be about to be made: what matters is that a signal comes through in the end.
        for (let woken = false; !woken;) {
          const stop = new AbortController();
          const next = listener.next(250, stop.signal);
          const at = performance.now();
          await notifications.notify('far');
          await next;
          woken = performance.now() - at < 240;
        }
        listener.close();
      };
      await heard();
      const client = new Client({ connectionString: String(url) });
      await client.connect();
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'connector-auth notifications' and datname = current_database()",
      );
      await client.end();
      await heard();
      await elsewhere.close();
    });
  }
});

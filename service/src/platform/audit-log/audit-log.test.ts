import type { AuditAction } from '@connector-auth/api';
import { DatabaseError } from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/until.ts';
import { createLog, silentLog } from '../log/log.ts';
import { AuditLog } from './audit-log.ts';
import { entryOfService, type AuditEntry } from './entry.ts';
import type { Batch } from './store.ts';

/** A database that can be taken away, and the log of an audit log that writes to it. */
class World {
  readonly written: string[] = [];
  readonly batches: Batch[] = [];
  readonly lines: string[] = [];
  isAway = false;
  nowMs = 1_000_000;
  attempts = 0;
  readonly audit = new AuditLog({
    writeIntervalMs: 250,
    write: async batch => {
      this.attempts += 1;
      if (this.isAway) throw new Error('The database is away');
      this.batches.push(batch);
      this.written.push(...batch.entries.map(({ entry }) => entry.action));
    },
    clock: { now: () => this.nowMs },
    log: createLog({ level: 'debug', destination: { write: line => void this.lines.push(line) } }),
  });

  events(): string[] {
    return this.lines.map(line => (JSON.parse(line) as { event: string }).event);
  }

  async untilWritten(count: number): Promise<void> {
    await until(() => expect(this.written).toHaveLength(count));
  }

  async untilFailed(): Promise<void> {
    const { attempts } = this;
    await until(() => expect(this.attempts).toBeGreaterThan(attempts));
  }
}

function entry(action: string): AuditEntry {
  // The log does not look at the name.
  return entryOfService(
    'service',
    {},
    {
      action: action as AuditAction,
      entity: null,
      outcome: 'ok',
      records: null,
    },
  );
}

const actions = (count: number) => Array.from({ length: count }, (_, index) => `action ${index}`);

describe('the audit log', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });

  test('writes entries in batches of up to 500, in order', async () => {
    for (const action of actions(1_200)) world.audit.record(entry(action));
    await world.untilWritten(1_200);
    expect(world.written).toEqual(actions(1_200));
    expect(world.batches.map(({ entries }) => entries.length)).toEqual([500, 500, 200]);
  });

  test('writes what was recorded within the same 250 ms in one batch', async () => {
    for (const action of actions(3)) world.audit.record(entry(action));
    expect(world.batches).toEqual([]);
    await world.untilWritten(3);
    expect(world.batches).toHaveLength(1);
    expect(world.audit.state()).toMatchObject({ isWritable: true, waitingEntries: 0, oldestAt: null });
  });

  test('waits as long as its interval says for entries that it writes together', async () => {
    const batches: Batch[] = [];
    const audit = new AuditLog({
      write: async batch => void batches.push(batch),
      clock: { now: () => 0 },
      log: silentLog,
      writeIntervalMs: 60_000,
    });
    for (const action of actions(3)) audit.record(entry(action));
    world.audit.record(entry('with the default interval'));
    await world.untilWritten(1);
    expect(batches).toEqual([]);
    await audit.close();
    expect(batches.map(({ entries }) => entries.length)).toEqual([3]);
  });

  test('repeats a failed batch with the same entries and id before it writes later ones', async () => {
    const ids = new Set<string>();
    let failures = 2;
    const audit = new AuditLog({
      writeIntervalMs: 250,
      write: async batch => {
        if (batch.entries[0]?.entry.action === entry('first').action) ids.add(batch.id);
        if (failures-- > 0) throw new Error('The database is away');
        world.written.push(...batch.entries.map(written => written.entry.action));
      },
      clock: { now: () => 0 },
      log: silentLog,
    });
    audit.record(entry('first'));
    await until(() => expect(ids.size).toBe(1));
    audit.record(entry('second'));
    await until(() => expect(world.written).toEqual(['first', 'second']));
    expect(ids.size).toBe(1);
  });

  test('is not writable after failing for 30 s, and says once when that begins and ends', async () => {
    world.isAway = true;
    world.audit.record(entry('act'));
    await world.untilFailed();
    world.nowMs += 29_999;
    world.audit.requireWritable();
    expect(world.audit.state().isWritable).toBe(true);

    world.nowMs += 1;
    expect(world.audit.state()).toMatchObject({ isWritable: false, waitingEntries: 1 });
    expect(() => world.audit.requireWritable()).toThrow(
      expect.objectContaining({ code: 'audit_unavailable', status: 503 }),
    );
    expect(() => world.audit.requireWritable()).toThrow();
    await world.untilFailed();
    expect(world.audit.state().isWritable).toBe(false);

    world.isAway = false;
    await world.untilWritten(1);
    await until(() => world.audit.requireWritable());
    expect(world.audit.state().isWritable).toBe(true);
    expect(world.events().filter(event => event !== 'audit_write_failed')).toEqual([
      'audit_unavailable',
      'audit_available',
    ]);
  });

  test('is not writable as soon as a first attempt fails that took 30 s', async () => {
    const attempt = Promise.withResolvers<void>();
    const hanging = new AuditLog({
      writeIntervalMs: 250,
      write: () => attempt.promise,
      clock: { now: () => world.nowMs },
      log: silentLog,
    });
    for (const action of actions(500)) hanging.record(entry(action));
    world.nowMs += 30_000;
    // The clock may have been corrected, and the database's timeout ends every attempt.
    expect(hanging.state().isWritable).toBe(true);
    attempt.reject(new Error('timeout'));
    await attempt.promise.catch(() => {});
    expect(hanging.state().isWritable).toBe(false);
  });

  test('drops and counts the oldest entries when 50,000 wait', async () => {
    world.isAway = true;
    for (const action of actions(52_000)) world.audit.record(entry(action));
    const { waitingEntries } = world.audit.state();
    expect(waitingEntries).toBeGreaterThan(49_000);
    expect(waitingEntries).toBeLessThanOrEqual(50_500);
    expect(world.audit.state().droppedEntries).toBe(52_000 - waitingEntries);
    expect(world.events().filter(event => event === 'audit_entries_lost')).toHaveLength(1);
    world.isAway = false;
    await world.untilWritten(waitingEntries);
    expect(world.written.slice(-3)).toEqual(['action 51997', 'action 51998', 'action 51999']);
  });

  test('drops an entry that the database rejects, and writes the others of its batch', async () => {
    const audit = new AuditLog({
      writeIntervalMs: 250,
      write: async ({ entries }) => {
        if (entries.some(written => written.entry.action === entry('invalid').action)) {
          throw Object.assign(new DatabaseError('invalid', 0, 'error'), { code: '22P05' });
        }
        world.written.push(...entries.map(({ entry: { action } }) => action));
      },
      clock: { now: () => 0 },
      log: silentLog,
    });
    for (const action of ['first', 'invalid', 'last']) audit.record(entry(action));
    await until(() => expect(world.written).toEqual(['first', 'last']));
    await until(() => expect(audit.state()).toMatchObject({ isWritable: true, waitingEntries: 0 }));
  });

  test('records 60 rejections per minute of each caller, and counts the others', async () => {
    const reject = (caller: string, count: number): void => {
      for (const action of actions(count)) world.audit.recordRejection(caller, entry(`${caller} ${action}`));
    };
    reject('first', 62);
    reject('second', 1);
    world.nowMs += 1_000;
    reject('first', 2);
    await world.audit.close();
    expect(world.written).toEqual([
      ...actions(60).map(action => `first ${action}`),
      'second action 0',
      'first action 0',
    ]);
    expect(world.audit.state().omittedRejections).toBe(3);
  });

  test('writes everything when it is closed', async () => {
    for (const action of actions(1_300)) world.audit.record(entry(action));
    await world.audit.close();
    expect(world.written).toEqual(actions(1_300));
  });

  test('waits for a database that returns while it is being closed', async () => {
    world.isAway = true;
    world.audit.record(entry('act'));
    await world.untilFailed();
    const closed = world.audit.close();
    await world.untilFailed();
    world.isAway = false;
    await closed;
    expect(world.written).toEqual(['act']);
  });

  test('counts the entries that it loses because the database does not return', async () => {
    world.isAway = true;
    for (const action of actions(7)) world.audit.record(entry(action));
    await world.audit.close();
    expect(world.audit.state().droppedEntries).toBe(7);
    expect(world.events()).toContain('audit_entries_lost');
  }, 20_000);
});

import { describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** Creates a queue of items named `organization/customer/number`. */
function queueOf(...names: string[]) {
  const queue = new FairQueue<ReturnType<typeof itemOf>>();
  for (const name of names) queue.add(itemOf(name));
  return queue;
}

function itemOf(name: string) {
  const [organizationId = '', customerId = ''] = name.split('/');
  return { name, requester: { organizationId, customerId } };
}

function drain(queue: ReturnType<typeof queueOf>): string[] {
  const served: string[] = [];
  for (let item = queue.next(); item !== null; item = queue.next()) served.push(item.name);
  return served;
}

describe('a fair queue', () => {
  test('serves organizations in turn, and the customers of an organization in turn', () => {
    const queue = queueOf('a/1/1', 'a/1/2', 'a/1/3', 'a/2/1', 'b/1/1', 'b/1/2');
    expect(drain(queue)).toEqual(['a/1/1', 'b/1/1', 'a/2/1', 'b/1/2', 'a/1/2', 'a/1/3']);
  });

  test('serves an organization that arrives later after at most one item of each other organization', () => {
    const queue = queueOf(...Array.from({ length: 100 }, (_, index) => `a/1/${index}`));
    queue.next();
    queue.add(itemOf('b/1/1'));
    expect([queue.next()?.name, queue.next()?.name]).toContain('b/1/1');
  });

  test('skips items that are not accepted, without reordering them', () => {
    const queue = queueOf('a/1/1', 'a/1/2', 'b/1/1');
    expect(queue.next(({ name }) => name.startsWith('b'))?.name).toBe('b/1/1');
    expect(queue.next(() => false)).toBeNull();
    expect(drain(queue)).toEqual(['a/1/1', 'a/1/2']);
  });

  test('does not serve removed items', () => {
    const queue = queueOf('a/1/1');
    const [item] = queue;
    if (item === undefined) throw new Error('The queue is empty');
    expect(queue.remove(item)).toBe(true);
    expect(queue.remove(item)).toBe(false);
    expect(queue.size).toBe(0);
    expect(queue.next()).toBeNull();
  });

  test('predicts the position of the last item of a customer', () => {
    const queue = queueOf('a/1/1', 'a/1/2', 'a/1/3', 'b/1/1');
    expect(queue.positionOfLast({ organizationId: 'b', customerId: '1' })).toBe(2);
    expect(queue.positionOfLast({ organizationId: 'a', customerId: '1' })).toBe(4);
  });
});

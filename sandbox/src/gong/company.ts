import type { Clock } from '../simulator/clock.ts';
import type { Random } from '../simulator/random.ts';
import type { GongAccount } from './accounts.ts';
import { callWordsOf } from './call-words.ts';
import { daysAgoOf, inventCall, type Call } from './calls.ts';
import { inventUsers } from './users.ts';
import { inventWorkspaces } from './workspaces.ts';

/** The simulated data for one account. */
export type GongCompany = ReturnType<typeof inventCompany>;

/** Generates a company. The same random source always produces the same company. */
export function inventCompany(account: GongAccount, random: Random, clock: Clock) {
  const workspaces = inventWorkspaces(random.fork('workspaces'), account.userCount > 5);
  const users = inventUsers(account, random.fork('users'), clock.dataNow);
  const words = callWordsOf(account.business);
  const context = { company: account.company, words, users, workspaces, dataNow: clock.dataNow.getTime() };
  let calls: Call[] = Array.from({ length: account.callCount }, (_, index) => {
    const own = random.fork('call', index);
    return inventCall(context, own, daysAgoOf(index, account.callCount, own.fork('day')));
  }).sort(newestFirst);
  let byId = new Map(calls.map(call => [call.wire.id, call]));
  let added = 0;
  return {
    account,
    random,
    words,
    workspaces,
    users: () => users,
    /** Lists the calls, newest first. */
    calls: (): readonly Call[] => calls,
    findCall: (id: string) => byId.get(id),
    /** Adds a call that starts at this time. */
    addCall: (atMs: number): Call => {
      const invented = inventCall(context, random.fork('added', ++added), 1);
      const at = new Date(atMs).toISOString();
      const call = { ...invented, filterMs: atMs, wire: { ...invented.wire, scheduled: at, started: at } };
      calls = [call, ...calls].sort(newestFirst);
      byId = new Map(calls.map(each => [each.wire.id, each]));
      return call;
    },
  };
}

/** Orders calls by `filterMs`, newest first, then by id. */
function newestFirst(left: Call, right: Call): number {
  return right.filterMs - left.filterMs || (left.wire.id < right.wire.id ? -1 : 1);
}

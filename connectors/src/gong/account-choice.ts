import { listOfAccounts } from '../kind/accounts.ts';
import type { AccountList, Accounts } from '../kind/kind.ts';
import { asArray, asObject, asString } from '../kind/record.ts';
import type { Vendor, VendorResponse } from '../kind/vendor.ts';
import { accessKey, oauth } from './auth.ts';
import { en } from './messages/en.ts';
import { get } from './wire.ts';

/** The company's workspaces. */
export const accountChoice: Accounts = {
  setting: 'workspace_ids',
  title: en.workspaces.title,
  methods: [oauth.id, accessKey.id],
  // For a workspace with 500 calls, which are 5 pages of calls and 5 of detailed calls.
  // Every sync reads all of them, because that is less than `fullSyncCallsPerHour`.
  dailyRequestsPerAccount: syncsPerDay => syncsPerDay * (5 + 5),
  list: listAccounts,
};

/** Lists the workspaces. The list is empty if the credentials may not list them. */
async function listAccounts(vendor: Vendor): Promise<AccountList> {
  let response = await requestWorkspaces(vendor);
  if (response.status === 401) {
    // Gong sends 401 for an expired token, which this call renews, and sometimes for a missing scope.
    await vendor.send(get('/v2/users'));
    response = await requestWorkspaces(vendor);
  }
  return listOfAccounts(
    workspacesIn(response).map(({ id, name }) => ({
      id,
      name: name ?? id,
      detail: null,
      selectable: true,
      reason: null,
    })),
  );
}

/** Requests the workspaces. Developers report that Gong sends either 403 or 401 for a missing scope. */
export function requestWorkspaces(vendor: Vendor): Promise<VendorResponse> {
  return vendor.send(get('/v2/workspaces'), { accept: [401, 403, 404] });
}

export function workspacesIn({ status, body }: VendorResponse): { id: string; name: string | null }[] {
  const workspaces = status === 200 ? asArray(asObject(body)['workspaces']) : [];
  return workspaces.flatMap(workspace => {
    const { id, name } = asObject(workspace);
    return typeof id === 'string' ? [{ id, name: asString(name) }] : [];
  });
}

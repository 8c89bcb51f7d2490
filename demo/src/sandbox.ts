/** What the demo does at the simulated vendors, with the sandbox's control API. */

/** A simulated vendor, with credentials that its forms accept. The sandbox documents this shape. */
interface SandboxVendor {
  /** Key of the connector kind. */
  readonly key: string;
  readonly name: string;
  readonly credentials: readonly {
    readonly works: boolean;
    /** The id of the customer whose account it opens. Absent for accounts of other companies. */
    readonly business?: string;
    readonly values: Readonly<Record<string, string>>;
  }[];
}

/** Credentials of the customer's own accounts: what its people could enter. */
export interface OwnCredentials {
  /** Key of the connector kind. */
  readonly source: string;
  readonly name: string;
  readonly values: readonly Readonly<Record<string, string>>[];
}

/** Lists the customer's own credentials by vendor, never those of another company. */
export async function listOwnCredentials(
  sandboxUrl: string,
  customerId: string,
): Promise<readonly OwnCredentials[]> {
  const response = await fetch(`${sandboxUrl}/_sandbox/credentials`);
  const { vendors } = (await response.json()) as { vendors: readonly SandboxVendor[] };
  return vendors.map(({ key, name, credentials }) => ({
    source: key,
    name,
    values: credentials
      .filter(({ works, business }) => works && business === customerId)
      .map(({ values }) => values),
  }));
}

/**
 * Revokes what people allowed at a vendor, as happens when they remove the app there. The vendor then allows the next
 * sign-in without a question, because it knows the person.
 */
export async function revokeConsent(sandboxUrl: string, source: string, customerId: string): Promise<void> {
  // Gong revokes the consent of one account. The others revoke all, which the demo's own customers share.
  const input = source === 'gong' ? { account: customerId } : {};
  await control(sandboxUrl, 'POST', `${encodeURIComponent(source)}/actions/revoke-consent`, input);
  await control(sandboxUrl, 'PATCH', `${encodeURIComponent(source)}/settings`, { consent: 'allow' });
}

/** Lets a vendor ask again before it allows access. */
export async function askForConsent(sandboxUrl: string, source: string): Promise<void> {
  await control(sandboxUrl, 'PATCH', `${encodeURIComponent(source)}/settings`, { consent: 'ask' });
}

async function control(sandboxUrl: string, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${sandboxUrl}/_sandbox/vendors/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The sandbox responded ${response.status}: ${await response.text()}`);
}

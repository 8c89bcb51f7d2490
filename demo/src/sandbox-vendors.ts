/** A simulated vendor, with credentials that its forms accept. */
export interface SandboxVendor {
  /** Key of the connector kind. */
  readonly key: string;
  readonly name: string;
  /** The vendor's OAuth apps. Empty if the vendor does not support OAuth. */
  readonly oauthApps: readonly unknown[];
  readonly credentials: readonly SandboxCredentials[];
}

export interface SandboxCredentials {
  readonly title: string;
  readonly description: string;
  readonly works: boolean;
  /** The id of the customer whose account it opens. Absent for accounts of other companies. */
  readonly business?: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Returns the vendors with the credentials that a customer could have, its own first. */
export async function loadSandboxVendors(
  sandboxUrl: string,
  customerId: string | null,
): Promise<readonly SandboxVendor[]> {
  const response = await fetch(`${sandboxUrl}/_sandbox/credentials`);
  // The sandbox documents this shape.
  const { vendors } = (await response.json()) as { vendors: readonly SandboxVendor[] };
  return vendors.map(vendor => ({ ...vendor, credentials: credentialsOf(vendor, customerId) }));
}

function credentialsOf(
  { credentials }: SandboxVendor,
  customerId: string | null,
): readonly SandboxCredentials[] {
  const own = credentials.filter(({ business }) => business === customerId);
  return [...own, ...credentials.filter(({ business }) => business === undefined)];
}

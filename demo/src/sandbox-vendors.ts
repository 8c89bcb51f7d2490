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
  readonly values: Readonly<Record<string, string>>;
}

export async function loadSandboxVendors(sandboxUrl: string): Promise<readonly SandboxVendor[]> {
  const response = await fetch(`${sandboxUrl}/_sandbox/credentials`);
  // The sandbox documents this shape.
  const { vendors } = (await response.json()) as { vendors: readonly SandboxVendor[] };
  return vendors;
}

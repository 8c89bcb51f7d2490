import type { SourceDefinitionDetail } from '@connector-auth/api';

/** Returns where users sign in: `Google` for Google Ads. */
export function vendorNameOf({ vendor_name, name }: SourceDefinitionDetail): string {
  return vendor_name ?? name;
}

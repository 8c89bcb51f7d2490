/** Returns the path of an organization's logo. A new logo has a new version, so responses can be cached. */
export function logoPath(organizationId: string, version: string): string {
  return `/logos/${organizationId}/${version}`;
}

/** Returns the URL of an organization's logo, or null if `version` is null. */
export function logoUrl(publicUrl: string, organizationId: string, version: string | null): string | null {
  return version === null ? null : `${publicUrl}${logoPath(organizationId, version)}`;
}

/**
 * Returns the URL of an organization's logo, or null if `version` is null. A new logo has a new version, so responses can
 * be cached.
 * @param baseUrl the public URL, or its path.
 */
export function logoUrl(baseUrl: string, organizationId: string, version: string | null): string | null {
  return version === null ? null : `${baseUrl}/logos/${organizationId}/${version}`;
}

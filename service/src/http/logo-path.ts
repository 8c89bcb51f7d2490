/** Returns the path of an organization's logo. A new logo has a new version, so browsers can cache the response. */
export function logoPath(organizationId: string, version: string): string {
  return `/logos/${organizationId}/${version}`;
}

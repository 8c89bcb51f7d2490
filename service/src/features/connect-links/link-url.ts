/** Returns the URL of a link's page. The browser does not send the fragment, which the page's script reads. */
export function linkUrl(publicUrl: string, id: string, fragment: string): string {
  return `${publicUrl}/connect/${id}#${fragment}`;
}

/** The absolute http(s) address that `text` stands for in this document; null when it is none. */
export function httpAddress(text: string): string | null {
  if (!URL.canParse(text, document.baseURI)) return null;
  const { protocol, href } = new URL(text, document.baseURI);
  return /^https?:$/.test(protocol) ? href : null;
}

/** The absolute http(s) address that `text` stands for in this document; null when it is none. */
export function httpAddress(text: string | null | undefined): string | null {
  const url = text ? URL.parse(text, document.baseURI) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

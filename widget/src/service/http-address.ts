/** Resolves a URL against the document. Returns null unless the URL is http(s). */
export function httpAddress(text: string | null | undefined): string | null {
  const url = text ? URL.parse(text, document.baseURI) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

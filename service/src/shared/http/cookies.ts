/** Returns the value of a cookie in a `Cookie` header, or null. */
export function readCookie(name: string, header = ''): string | null {
  const start = `${name}=`;
  const pair = header
    .split(';')
    .map(text => text.trim())
    .find(text => text.startsWith(start));
  return pair === undefined ? null : pair.slice(start.length);
}

/** Returns the name of a cookie that other hosts of the domain cannot set, if the service is reached over https. */
export function hostCookieName(name: string, url: string): string {
  return `${isSecure(url) ? '__Host-' : ''}${name}`;
}

/** Returns the attributes of a cookie that scripts cannot read. */
export function cookieAttributes(sameSite: 'Lax' | 'Strict', url: string): string {
  return `Path=/; HttpOnly; SameSite=${sameSite}${isSecure(url) ? '; Secure' : ''}`;
}

function isSecure(url: string): boolean {
  return url.startsWith('https:');
}

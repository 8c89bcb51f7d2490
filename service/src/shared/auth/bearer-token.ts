/** Returns the token in an `Authorization` header (RFC 6750, section 2.1), or null. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

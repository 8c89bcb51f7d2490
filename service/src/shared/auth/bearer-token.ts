/** Returns the token in an `Authorization` header, or null. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

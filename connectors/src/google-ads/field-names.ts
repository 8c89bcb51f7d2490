/**
 * Converts snake_case (`text_label`), which GAQL uses, to camelCase (`textLabel`), which JSON uses. Preserves
 * dots.
 */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** `text_label` → `textLabel`: the query language writes names in snake_case, JSON in camelCase. Dots stay. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

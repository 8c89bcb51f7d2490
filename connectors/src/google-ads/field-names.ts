/** Converts `text_label` to `textLabel`, because GAQL uses snake_case and JSON camelCase. Keeps dots. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

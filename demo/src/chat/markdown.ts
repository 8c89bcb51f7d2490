/** Writes Markdown with text that others wrote, such as the names of campaigns. */

/** Escapes everything that Markdown would read as more than text. */
export function text(value: unknown): string {
  return String(value)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
}

/** Writes a table. The cells are Markdown. Numeric columns end in a colon, such as `Spend:`. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const isNumeric = (column: string) => column.endsWith(':');
  return [
    line(columns.map(column => column.replace(/:$/, ''))),
    line(columns.map(column => (isNumeric(column) ? '--:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

/** Writes a link to a page of Fieldbook, such as `#connections/gong`. */
export function link(label: string, fragment: string): string {
  return `[${text(label)}](${fragment})`;
}

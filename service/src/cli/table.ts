import { printable } from './terminal.ts';

const gap = '  ';
const minWidth = 6;

/**
 * Formats rows as a table with a header. If it is wider than the terminal, the widest columns are truncated.
 * @param columns the width of the terminal, or null for no limit.
 * @param whole the headers of columns that are never truncated, such as ids.
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
  whole: readonly string[] = [],
): string {
  const cells = [header, ...rows].map(row => row.map(printable));
  const widths = header.map((_, index) => Math.max(...cells.map(row => widthOf(row[index] ?? ''))));
  const narrowable = header.map(name => !whole.includes(name));
  shrink(widths, narrowable, (columns ?? Infinity) - gap.length * (header.length - 1));
  return cells
    .map(row =>
      row
        .map((cell, index) => fit(cell, widths[index] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

/** Narrows the widest of the columns that can be narrowed, until all columns fit. */
function shrink(widths: number[], narrowable: readonly boolean[], available: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    const widest = Math.max(...widths.filter((_, index) => narrowable[index]));
    if (widest <= minWidth) return;
    widths[widths.findIndex((width, index) => narrowable[index] && width === widest)] = widest - 1;
    excess -= 1;
  }
}

function fit(cell: string, width: number): string {
  const characters = charactersOf(cell);
  if (characters.length <= width) return cell + ' '.repeat(width - characters.length);
  return `${characters.slice(0, width - 1).join('')}…`;
}

function widthOf(cell: string): number {
  return charactersOf(cell).length;
}

const segmenter = new Intl.Segmenter();

/** Returns what a reader sees as characters. */
function charactersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

import { printable } from './terminal.ts';

const gap = '  ';
const minWidth = 6;

/**
 * Formats rows as a table with a header. If it is wider than the terminal, the widest columns are truncated.
 * @param columns the width of the terminal, or null for no limit.
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
): string {
  const cells = [header, ...rows].map(row => row.map(printable));
  const widths = header.map((_, index) => Math.max(...cells.map(row => widthOf(row[index] ?? ''))));
  shrink(widths, (columns ?? Infinity) - gap.length * (header.length - 1));
  return cells
    .map(row =>
      row
        .map((cell, index) => fit(cell, widths[index] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join('\n');
}

/** Narrows the widest column until all columns fit. */
function shrink(widths: number[], available: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= minWidth) return;
    widths[widths.indexOf(widest)] = widest - 1;
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

/** What a chart shows, without how it is drawn. */

export interface Point {
  /** A `YYYY-MM-DD` day, or a name. */
  readonly at: string;
  readonly value: number;
  /** The value as users read it. */
  readonly text: string;
}

export interface ChartSpec {
  readonly shape: 'line' | 'columns' | 'bars';
  readonly title: string;
  /** What the chart shows, for those who do not see it. */
  readonly summary: string;
  readonly points: readonly Point[];
  readonly color: string;
  /** Formats a value on the axis. */
  readonly tick: (value: number) => string;
  /** The same data as a table, with a header row. */
  readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

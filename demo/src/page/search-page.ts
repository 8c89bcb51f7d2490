/** The result of a search. */
export interface SearchPage<Row = Readonly<Record<string, unknown>>> {
  readonly data: readonly Row[];
  readonly meta: {
    readonly has_more: boolean;
    /** The cursor of the next page; null on the last page. */
    readonly cursor: string | null;
    readonly took_ms: number | null;
    readonly sync: {
      readonly status: 'building' | 'preview' | 'ready';
      readonly last_synced_at: string | null;
    };
  };
}

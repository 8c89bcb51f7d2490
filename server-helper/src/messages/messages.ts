/** Why a connect link did not continue. */
export type Obstacle = 'failed' | 'over' | 'late' | 'signedOut' | 'otherAccount' | 'incomplete' | 'framed';

/** The text shown on the helper's page for a connect link. */
export interface Messages extends Readonly<
  Record<Obstacle, { readonly title: string; readonly text: string }>
> {
  readonly openAgain: string;
}

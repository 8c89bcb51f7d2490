/** Why a connect link or a sign-in did not continue. */
export type Obstacle = 'failed' | 'over' | 'late' | 'signedOut' | 'otherAccount' | 'incomplete' | 'framed';

/** The text shown on the helper's pages. */
export interface Messages extends Readonly<
  Record<Obstacle, { readonly title: string; readonly text: string }>
> {
  readonly tryAgain: string;
}

import type { AdminSession } from '@connector-auth/api/admin';
import { ApiError } from '../api/api-error.ts';
import type { Call } from '../api/call.ts';

/** Whether someone is signed in. */
export type SessionState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: ApiError }
  /** The service has no admin key yet and waits for the set-up code. */
  | { readonly kind: 'set-up' }
  | { readonly kind: 'signed-out'; readonly notice: string | null }
  | { readonly kind: 'signed-in'; readonly session: AdminSession }
  /** The session ended while a page was in use. The page stays open, so that its input is not lost. */
  | { readonly kind: 'expired'; readonly session: AdminSession };

/** Keeps track of who is signed in. The session itself is a cookie, which this code cannot read. */
export class Session {
  #state: SessionState = { kind: 'loading' };
  #renewal: PromiseWithResolvers<void> | null = null;

  constructor(private readonly onChange: () => void) {}

  get state(): SessionState {
    return this.#state;
  }

  /** Finds out whether someone is signed in, or whether the service waits for its first admin key. */
  async load(call: Call): Promise<void> {
    this.#set({ kind: 'loading' });
    try {
      this.#set({ kind: 'signed-in', session: await call('getSession') });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) {
        this.#set({ kind: 'failed', failure: ApiError.of(error) });
        return;
      }
      try {
        const { is_open } = await call('getSetUpState');
        this.#set(is_open ? { kind: 'set-up' } : { kind: 'signed-out', notice: null });
      } catch (failure) {
        this.#set({ kind: 'failed', failure: ApiError.of(failure) });
      }
    }
  }

  signedIn(session: AdminSession): void {
    this.#set({ kind: 'signed-in', session });
    this.#renewal?.resolve();
    this.#renewal = null;
  }

  signedOut(notice: string | null = null): void {
    this.#set({ kind: 'signed-out', notice });
    this.#renewal?.reject(new ApiError('aborted', 'You signed out.', 401));
    this.#renewal = null;
  }

  /** Asks to sign in again. Resolves after that, so that the rejected request can be repeated. */
  expire(): Promise<void> {
    if (this.#state.kind === 'signed-in') this.#set({ kind: 'expired', session: this.#state.session });
    if (this.#state.kind !== 'expired') {
      return Promise.reject(new ApiError('not_signed_in', 'Sign in to continue.', 401));
    }
    this.#renewal ??= Promise.withResolvers<void>();
    return this.#renewal.promise;
  }

  #set(state: SessionState): void {
    this.#state = state;
    this.onChange();
  }
}

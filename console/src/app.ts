import type { AdminSession } from '@connector-auth/api/admin';
import type { TemplateResult } from 'lit';
import type { Call } from './api/call.ts';
import type { ListQuery } from './api/paged-list.ts';

/** What pages and components need from the console. */
export interface App {
  readonly call: Call;
  /** The public URL of the service, which integrators use. */
  readonly serviceUrl: string;
  /** The person who is signed in. */
  readonly session: AdminSession;
  readonly query: { get(): ListQuery; set(query: ListQuery): void };
  /** Shows another page, such as `/organizations`. */
  go(path: string): void;
  /** Shows another page instead of this one, so that the back button skips this one. */
  replace(path: string): void;
  /** Shows a short message that disappears, such as “Organization created”. */
  toast(message: string): void;
  /** Asks before something is done that cannot easily be undone. Resolves with whether it was done. */
  confirm(confirmation: Confirmation): Promise<boolean>;
}

/** A question before a destructive action. */
export interface Confirmation {
  readonly title: string;
  /** What will happen. */
  readonly body: string | TemplateResult;
  /** The label of the button, such as “Disable organization”. */
  readonly action: string;
  /** The short message after it was done, such as “Organization disabled”. */
  readonly done?: string;
  /** The label of the button that does nothing. Default: Cancel. */
  readonly cancel?: string;
  /** The name that the operator must type. */
  readonly name?: string;
  /** A checkbox with an additional effect, whose value `run` receives. */
  readonly option?: { readonly label: string; readonly hint?: string; readonly isChecked?: boolean };
  /** Whether the action takes something away. Default: true. */
  readonly isDestructive?: boolean;
  /** Does it. The dialog stays open and shows the error if it fails. */
  readonly run: (isOptionChecked: boolean, idempotencyKey: string) => Promise<unknown>;
}

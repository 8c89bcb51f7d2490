import type { AgentScope } from '@connector-auth/api';

/** Why a person cannot decide. */
export type Obstacle =
  /** The request is over, or another browser's. */
  | 'ended'
  /** The helper has confirmed no one, or that has ended. */
  | 'late'
  | 'noAccess'
  | 'busy';

type ObstacleMessages = Readonly<Record<Obstacle | `${Obstacle}Title`, string>>;
/** The name of each right, and what it means. */
type ScopeMessages = Readonly<Record<AgentScope | `${AgentScope}Text`, string>>;

/**
 * The text shown on the pages where a person allows an agent. `{client}` and `{redirect}` (hosts), `{name}` (what the client says it is called),
 * `{integrator}`, `{person}`, `{customer}` and `{unused}` (such as “30 days”) are placeholders.
 */
export interface Messages extends ObstacleMessages, ScopeMessages {
  readonly title: string;
  /** Replaces `title` for an app on the person's device. */
  readonly titleOnDevice: string;
  /** Added if the client's document and its codes have different hosts. */
  readonly twoHosts: string;
  readonly claim: string;
  readonly signedInAs: string;
  readonly forCustomer: string;
  /** Shown if the person has allowed the same client before. */
  readonly again: string;
  /** Marks a right that they have not allowed then. */
  readonly added: string;
  readonly rights: string;
  /** Replaces the right to write if no source allows it. */
  readonly noWrite: string;
  readonly sources: string;
  readonly later: string;
  readonly laterText: string;
  /** Replaces the sources if none is connected. */
  readonly noSource: string;
  readonly period: string;
  readonly unused: string;
  /** Shown if the person selected nothing. */
  readonly incomplete: string;
  readonly warning: string;
  readonly allow: string;
  readonly deny: string;
  readonly retry: string;
  readonly support: string;
  /** Ends the request without access. */
  readonly backToApp: string;
  /** Shown while the browser goes back to the client. */
  readonly leaving: string;
  readonly continue: string;
}

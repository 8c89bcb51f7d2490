import type { AuthMethod, Connector, SourceDefinition, SourceDefinitionDetail } from '@connector-auth/api';
import type { Failure } from '../service/failure.ts';

/**
 * The states of the widget. How each event changes them is in next.ts and next-in-steps.ts, what a state needs done (fetching, sending,
 * waiting for a consent) in the folder controller. Plain data: no DOM, no clock, no network, no secret but what was typed.
 *
 *     idle ─▶ loading ─▶ catalog ─▶ opening ─▶ choosing ─▶ filling ⇄ submitting ─▶ connected ─▶ catalog
 *                │        │   ▲        │  ▲        │          ⇅      ▲      ⇅
 *           unavailable   ▼   │    unopened │      └────▶ consenting ┘   replacing
 *                      managing ─ reconnect ┘
 *                         ⇅
 *              renaming ⇄ saving, confirming ⇄ disconnecting
 *
 * `target` is the connector that is reconnected in place; null when a new one is made. With one method there is nothing
 * to choose, and with a preselected source no catalog on the way in. Every state between catalog and connected leads back.
 */
export type State =
  | { readonly name: 'idle' }
  | { readonly name: 'loading' }
  | { readonly name: 'unavailable'; readonly failure: Failure }
  | ({
      readonly name: 'catalog';
      /** The id of the source or connector a person left from, so that they find themselves there again. */
      readonly cameFrom: string | null;
    } & WithCatalog)
  | ({ readonly name: 'opening' } & WithSource)
  | ({ readonly name: 'unopened'; readonly failure: Failure } & WithSource)
  | ({ readonly name: 'choosing'; readonly methods: readonly AuthMethod[] } & WithDefinition)
  | ({
      readonly name: 'filling';
      readonly failure: Failure | null;
      /** A consent that was given and not used yet: the next attempt needs no other. */
      readonly secretId: string | null;
    } & WithMethod)
  | ({
      readonly name: 'consenting';
      readonly entry: Entry;
      /** Null while it is being asked for. */
      readonly consent: Consent | null;
      /** Why its outcome cannot be learned at the moment; it is asked for again and again. */
      readonly failure: Failure | null;
    } & WithMethod)
  | ({ readonly name: 'submitting'; readonly entry: Entry } & WithMethod)
  | ({ readonly name: 'replacing'; readonly entry: Entry } & WithMethod)
  | ({ readonly name: 'connected'; readonly connector: Connector; readonly isAgain: boolean } & WithCatalog)
  | ({ readonly name: 'managing' } & WithConnector)
  | ({
      readonly name: 'renaming';
      readonly newName: string;
      readonly failure: Failure | null;
    } & WithConnector)
  | ({ readonly name: 'saving'; readonly newName: string } & WithConnector)
  | ({ readonly name: 'confirming'; readonly failure: Failure | null } & WithConnector)
  | ({ readonly name: 'disconnecting' } & WithConnector);

export type StateName = State['name'];
export type StateOf<Name extends StateName> = Extract<State, { name: Name }>;

/** What was loaded once and is kept along the whole flow. */
export interface Catalog {
  readonly definitions: readonly SourceDefinition[];
  readonly connectors: readonly Connector[];
  readonly query: string;
}

interface WithCatalog {
  readonly catalog: Catalog;
}
interface WithTarget extends WithCatalog {
  readonly target: Connector | null;
}
interface WithSource extends WithTarget {
  readonly source: SourceDefinition;
  /** The person comes back from a consent in this very window. */
  readonly returned: ReturnedConsent | null;
}
interface WithDefinition extends WithTarget {
  readonly definition: SourceDefinitionDetail;
}
interface WithMethod extends WithDefinition {
  readonly method: AuthMethod;
}
interface WithConnector extends WithCatalog {
  readonly connector: Connector;
}

/** What goes to the service: what a person entered (the name where they were asked for one), or what consent gave. */
export interface Entry {
  readonly name?: string;
  readonly credentials?: Readonly<Record<string, unknown>>;
  readonly replication_config?: Readonly<Record<string, unknown>>;
  readonly server_side_oauth_secret_id?: string;
  readonly replace_account?: boolean;
}

/** A consent a person is asked for. */
export interface Consent {
  readonly url: string;
  /** Name of the window it is given in; `_self` where that is the page's own. */
  readonly window: string;
  /** The browser did not let that window open: the person has to do it by a link. */
  readonly isBlocked: boolean;
}

/** What a consent is asked for. */
export interface ConsentRequest {
  readonly definitionId: string;
  /** The connector to reconnect; null for a new one. */
  readonly connectorId: string | null;
  readonly entry: Entry;
}

/** How a consent in the page's own window ended, and what it was for. */
export interface ReturnedConsent extends ConsentRequest {
  readonly outcome: { readonly secretId: string } | { readonly failure: Failure };
}

export type FlowEvent =
  // A person did something.
  | { readonly type: 'start' }
  | { readonly type: 'retry' }
  | { readonly type: 'back' }
  | { readonly type: 'search'; readonly query: string }
  | { readonly type: 'pick'; readonly definitionId: string }
  | { readonly type: 'choose'; readonly methodId: string }
  | { readonly type: 'submit'; readonly entry: Entry }
  | { readonly type: 'manage'; readonly connectorId: string }
  | { readonly type: 'rename' }
  | { readonly type: 'save'; readonly newName: string }
  | { readonly type: 'reconnect' }
  | { readonly type: 'disconnect' }
  | { readonly type: 'confirm' }
  // The state's effect came to something.
  | {
      readonly type: 'loaded';
      readonly definitions: readonly SourceDefinition[];
      readonly connectors: readonly Connector[];
      /** The source to open at once, by its id. */
      readonly preselected?: string | null | undefined;
      readonly returned?: ReturnedConsent | null | undefined;
    }
  | { readonly type: 'opened'; readonly definition: SourceDefinitionDetail }
  | { readonly type: 'asked'; readonly consent: Consent }
  | { readonly type: 'polled'; readonly failure: Failure | null }
  | { readonly type: 'consented'; readonly secretId: string }
  | { readonly type: 'stored'; readonly connector: Connector }
  | { readonly type: 'refreshed'; readonly connector: Connector }
  | { readonly type: 'disconnected' }
  | { readonly type: 'failed'; readonly failure: Failure };

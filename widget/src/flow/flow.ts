import type {
  ActivityEntry,
  Agent,
  AuthMethod,
  Connector,
  ConnectLink,
  CreateConnectLinkResponse,
  Integrator,
  ListAccountsResponse,
  ListDefinitionsResponse,
  SourceDefinition,
  SourceDefinitionDetail,
} from '@connector-auth/api';
import type { AccountPair, Failure } from '../service/failure.ts';

/**
 * The states of the widget. next.ts and next-in-steps.ts compute the next state for each event, and
 * `controller/` runs the effects (requests, waiting for an OAuth session). States are plain data that is
 * independent of DOM, clock and network, except `Consent.open`. They contain no secrets except those that the
 * user has typed.
 *
 *     idle ─▶ loading ─▶ catalog ─▶ opening ─▶ introducing ─▶ filling ⇄ submitting ─▶ connected ─▶ catalog
 *                │        │   ▲        │  ▲       ⇅                       ▲   ⇅          │
 *           unavailable   ▼   │    unopened │  consenting ─▶ listing ─▶ choosing         │
 *                      managing ─ reconnect ┘                             replacing      ▼
 *                         ⇅                                                           managing
 *              renaming ⇄ saving, confirming ⇄ disconnecting, openingAccounts ⇄ accounts ⇄ savingAccounts
 *              cancellingLink         disconnecting ─▶ disconnected ⇄ undoing
 *
 *     introducing, filling ─▶ linking ─▶ sharing ⇄ cancelling
 *                                ▲          ▼
 *                                └─── unlinked, connected
 *
 *     catalog ─▶ openingAgents ─▶ agents ⇄ confirmingAgent ⇄ endingAgent ─▶ agents
 *
 * `target` is the connector to reconnect, or null to create one. `introducing` is skipped if the only method is a
 * form, which then shows the same introduction. `listing` and `choosing` are skipped if the grant's accounts cannot
 * be listed. The catalog is skipped if a source is preselected. Users can go back from every state between catalog
 * and connected.
 */
export type State =
  | { readonly name: 'idle' }
  | { readonly name: 'loading' }
  | { readonly name: 'unavailable'; readonly failure: Failure }
  | ({
      readonly name: 'catalog';
      /** The id of the source or connector from which the user returns. Its row receives focus. */
      readonly cameFrom: string | null;
    } & WithCatalog)
  | ({ readonly name: 'opening' } & WithSource)
  | ({ readonly name: 'unopened'; readonly failure: Failure } & WithSource)
  /** What the connection reads and changes, and how to sign in. */
  | ({
      readonly name: 'introducing';
      readonly methods: readonly AuthMethod[];
      readonly failure: Failure | null;
      /** The request of a completed consent that is not redeemed yet. The next attempt sends it again. */
      readonly retry: { readonly method: AuthMethod; readonly entry: Entry } | null;
    } & WithDefinition)
  /** The form of a method of type `credentials`. */
  | ({ readonly name: 'filling'; readonly failure: Failure | null } & WithMethod)
  | ({
      readonly name: 'consenting';
      readonly entry: Entry;
      /** Null until the service has created the OAuth session. */
      readonly consent: Consent | null;
      /** The reason why polling for the outcome currently fails. */
      readonly failure: Failure | null;
      /** Whether the user may have lost the window, because the consent takes long. */
      readonly isLate: boolean;
    } & WithMethod)
  /** Loads the accounts that the grant can see. */
  | ({ readonly name: 'listing'; readonly consented: Consented } & WithMethod)
  | ({ readonly name: 'unlisted'; readonly consented: Consented; readonly failure: Failure } & WithMethod)
  | ({
      readonly name: 'choosing';
      readonly consented: Consented;
      readonly list: ListAccountsResponse;
      readonly failure: Failure | null;
    } & WithMethod)
  | ({ readonly name: 'submitting'; readonly entry: Entry; readonly choice: Choice | null } & WithMethod)
  | ({
      readonly name: 'replacing';
      readonly entry: Entry;
      readonly choice: Choice | null;
      /** Undefined if the service is older than the widget. */
      readonly accounts: AccountPair | undefined;
    } & WithMethod)
  /** Creates a connect link, with which a colleague connects the source. */
  | ({
      readonly name: 'linking';
      /** How long a link is valid that replaces the present one. */
      readonly seconds?: number | undefined;
    } & WithLink)
  | ({
      readonly name: 'sharing';
      readonly link: Link;
      /** Whether a colleague has opened the link and is signed in. */
      readonly isOpened: boolean;
      /** The reason why polling currently fails, or why the link could not be cancelled. */
      readonly failure: Failure | null;
      /** Whether `failure` is why the link could not be cancelled. */
      readonly isKept: boolean;
    } & WithLink)
  /** Cancels the link. */
  | ({ readonly name: 'cancelling'; readonly link: Link; readonly isOpened: boolean } & WithLink)
  /** The link could not be created, has expired or was cancelled elsewhere. */
  | ({ readonly name: 'unlinked'; readonly failure: Failure } & WithLink)
  | ({
      readonly name: 'connected';
      readonly connector: Connector;
      readonly isAgain: boolean;
      /** The names of the accounts that are synced; empty if the user chose none. */
      readonly accounts: readonly string[];
    } & WithCatalog)
  | ({
      readonly name: 'managing';
      /** The control from which the user returns. It receives focus. */
      readonly cameFrom?: ManageControl;
      /** Why the last request to sync, or to cancel a link, failed. */
      readonly failure?: Failure | null;
    } & WithConnector)
  /** Requests a sync. */
  | ({ readonly name: 'syncing' } & WithConnector)
  /** Cancels one of the connector's open links. */
  | ({ readonly name: 'cancellingLink'; readonly linkId: string } & WithConnector)
  | ({ readonly name: 'openingAccounts' } & WithConnector)
  /** The choice of the accounts of an existing connector; `list` is null if it failed to load. */
  | ({
      readonly name: 'accounts';
      readonly list: ListAccountsResponse | null;
      /** The source with its settings, or null if they failed to load. */
      readonly detail: SourceDefinitionDetail | null;
      readonly failure: Failure | null;
    } & WithConnector)
  | ({
      readonly name: 'savingAccounts';
      readonly list: ListAccountsResponse;
      readonly detail: SourceDefinitionDetail;
      readonly entry: Entry;
      readonly ids: readonly string[] | null;
    } & WithConnector)
  | ({
      readonly name: 'renaming';
      readonly newName: string;
      readonly failure: Failure | null;
    } & WithConnector)
  | ({ readonly name: 'saving'; readonly newName: string } & WithConnector)
  | ({ readonly name: 'confirming'; readonly failure: Failure | null } & WithConnector)
  | ({ readonly name: 'disconnecting' } & WithConnector)
  /** The connector can no longer be used, but is still in the catalog until it is deleted, which the user can undo. */
  | ({
      readonly name: 'disconnected';
      /** When the service deletes the connector, as an ISO 8601 time. */
      readonly until: string;
      /** Why the last attempt to undo failed. */
      readonly failure: Failure | null;
    } & WithConnector)
  | ({ readonly name: 'undoing'; readonly until: string } & WithConnector)
  /** Loads the apps and agents that people have authorized, and the code that shows them. */
  | ({ readonly name: 'openingAgents'; readonly agents: null } & WithCatalog)
  | ({
      readonly name: 'agents';
      readonly agents: readonly Agent[];
      /** The agent whose confirmation the user has cancelled. Its button receives focus. */
      readonly cameFrom?: Agent;
      /** The agent that has just ended. */
      readonly ended?: Agent;
    } & WithCatalog)
  | ({ readonly name: 'confirmingAgent'; readonly failure: Failure | null } & WithAgent)
  | ({ readonly name: 'endingAgent' } & WithAgent);

export type StateName = State['name'];
export type StateOf<Name extends StateName> = Extract<State, { name: Name }>;

/** The data that is loaded once for the whole flow. */
export interface Catalog {
  readonly definitions: readonly SourceDefinition[];
  readonly connectors: readonly Connector[];
  readonly query: string;
  /** What the service says about the integrator. Undefined if the operator has set nothing. */
  readonly integrator?: Integrator | undefined;
  /** What the token allows. Undefined if the service is older than the widget. */
  readonly rights?: ListDefinitionsResponse['rights'];
  /** The address that people add to their chat clients. Undefined unless they can sign in there. */
  readonly mcpUrl?: string | undefined;
}

/** A completed consent that is not redeemed yet. */
export interface Consented {
  readonly entry: Entry;
  readonly secretId: string;
  readonly sessionId: string;
}

/** The accounts among which the user chose. */
export interface Choice {
  readonly consented: Consented;
  readonly list: ListAccountsResponse;
}

/** A connect link. Its URL contains a secret, which only the browser that created the link knows. */
export interface Link extends CreateConnectLinkResponse {
  /** How long the link is valid. Absent for the default. */
  readonly seconds?: number | undefined;
}

interface WithCatalog {
  readonly catalog: Catalog;
}
interface WithTarget extends WithCatalog {
  readonly target: Connector | null;
}
interface WithSource extends WithTarget {
  readonly source: SourceDefinition;
  /** Set if the user has just returned from an OAuth flow in this window. */
  readonly returned: ReturnedConsent | null;
}
interface WithDefinition extends WithTarget {
  readonly definition: SourceDefinitionDetail;
}
interface WithMethod extends WithDefinition {
  readonly method: AuthMethod;
}
interface WithLink extends WithDefinition {
  /** The method whose form the user left; null if it was the introduction. */
  readonly method: AuthMethod | null;
}
interface WithAgent extends WithCatalog {
  readonly agents: readonly Agent[];
  readonly agent: Agent;
}
interface WithConnector extends WithCatalog {
  readonly connector: Connector;
  /** The connector's most recent activity, newest first; undefined until it is loaded. */
  readonly activity?: readonly ActivityEntry[] | undefined;
  /** The open links for the connector or its source, newest first; undefined until they are loaded. */
  readonly links?: readonly ConnectLink[] | undefined;
}

/** The controls of a connector, named after the events that they send. */
export type ManageControl = Extract<
  FlowEvent['type'],
  'sync' | 'reconnect' | 'rename' | 'editAccounts' | 'cancelLink' | 'disconnect'
>;

/** The body of a request that creates or updates a connector, without the fields that the flow adds. */
export interface Entry {
  readonly name?: string;
  readonly credentials?: Readonly<Record<string, unknown>>;
  readonly replication_config?: Readonly<Record<string, unknown>>;
  readonly server_side_oauth_secret_id?: string;
  readonly replace_account?: boolean;
}

/** An OAuth session that is waiting for the user's consent. */
export interface Consent {
  /** The consent URL. Users who follow it have to confirm; users whose click calls `open` do not. */
  readonly url: string;
  /** The name of the window, or `_self` for the page's own window. */
  readonly window: string;
  /** Whether the browser blocked the pop-up, so that the user has to follow a link. */
  readonly isBlocked: boolean;
  /** Goes to the vendor's page, in the open pop-up or a new one. Call it synchronously in the click handler. */
  readonly open: () => void;
}

/** The purpose of an OAuth flow: the source or connector that it is for. */
export interface ConsentRequest {
  readonly definitionId: string;
  /** The connector to reconnect, or null to create one. */
  readonly connectorId: string | null;
  readonly entry: Entry;
}

/** The purpose and outcome of a consent that navigated the page itself instead of opening a pop-up. */
export interface ReturnedConsent extends ConsentRequest {
  readonly sessionId: string;
  readonly outcome: { readonly secretId: string } | { readonly failure: Failure };
}

/** The events that need nothing but their type. */
export type PlainEvent = {
  [Type in FlowEvent['type']]: { type: Type } extends Extract<FlowEvent, { type: Type }> ? Type : never;
}[FlowEvent['type']];

export type FlowEvent =
  // Events from the user.
  | { readonly type: 'start' }
  | { readonly type: 'retry' }
  | { readonly type: 'back' }
  | { readonly type: 'search'; readonly query: string }
  | { readonly type: 'pick'; readonly definitionId: string }
  /** Opens a source by its connector type: its form, or its connector. */
  | { readonly type: 'open'; readonly connectorType: string }
  | { readonly type: 'choose'; readonly methodId: string; readonly entry?: Entry }
  | { readonly type: 'submit'; readonly entry: Entry }
  | { readonly type: 'manage'; readonly connectorId: string }
  | { readonly type: 'rename' }
  | { readonly type: 'save'; readonly newName: string }
  | { readonly type: 'reconnect' }
  | { readonly type: 'sync' }
  | { readonly type: 'editAccounts' }
  /** Confirms the choice of accounts; `ids` is null to sync all of them, also those that are added later. */
  | { readonly type: 'chooseAccounts'; readonly ids: readonly string[] | null; readonly entry?: Entry }
  /** Leaves the success screen to connect one more source. */
  | { readonly type: 'another' }
  /** Creates a link for a colleague who can connect the source. */
  | { readonly type: 'createLink'; readonly seconds?: number }
  /** Cancels the shared link, or the one of the connector's open links that `linkId` names. */
  | { readonly type: 'cancelLink'; readonly linkId?: string }
  | { readonly type: 'disconnect' }
  | { readonly type: 'confirm' }
  /** Undoes disconnecting. */
  | { readonly type: 'undo' }
  | { readonly type: 'openAgents' }
  | { readonly type: 'endAgent'; readonly agentId: string }
  /** The service has described the sources in another language; `definition` is that of the state. */
  | {
      readonly type: 'reworded';
      readonly definitions: readonly SourceDefinition[];
      readonly definition: SourceDefinitionDetail | undefined;
    }
  // Events from the state's effect.
  | {
      readonly type: 'loaded';
      readonly definitions: readonly SourceDefinition[];
      readonly connectors: readonly Connector[];
      readonly integrator?: Integrator | undefined;
      readonly rights?: ListDefinitionsResponse['rights'];
      readonly mcpUrl?: string | undefined;
      /** The connector type to open immediately. */
      readonly preselected?: string | null | undefined;
      /** The id of the connector to reconnect immediately instead. */
      readonly target?: string | null | undefined;
      readonly returned?: ReturnedConsent | null | undefined;
    }
  | { readonly type: 'opened'; readonly definition: SourceDefinitionDetail }
  | { readonly type: 'asked'; readonly consent: Consent }
  | { readonly type: 'polled'; readonly failure: Failure | null }
  /** The consent takes long. */
  | { readonly type: 'late' }
  | {
      readonly type: 'consented';
      readonly secretId: string;
      readonly sessionId: string;
    }
  | {
      readonly type: 'listed';
      readonly list: ListAccountsResponse;
      /** Set for an existing connector, whose other settings can be changed with its accounts. */
      readonly detail?: SourceDefinitionDetail;
    }
  | { readonly type: 'reported'; readonly activity: readonly ActivityEntry[] }
  | { readonly type: 'linksListed'; readonly links: readonly ConnectLink[] }
  | { readonly type: 'linked'; readonly link: Link }
  | { readonly type: 'linkOpened' }
  | { readonly type: 'linkCancelled' }
  | { readonly type: 'stored'; readonly connector: Connector }
  | { readonly type: 'refreshed'; readonly connector: Connector }
  /** The connector was deleted, or is deleted at `until` unless the user undoes that. */
  | { readonly type: 'disconnected'; readonly until?: string }
  | { readonly type: 'agentsListed'; readonly agents: readonly Agent[] }
  | { readonly type: 'agentEnded' }
  | { readonly type: 'failed'; readonly failure: Failure };

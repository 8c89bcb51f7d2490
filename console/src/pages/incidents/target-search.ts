import type { AdminApplication, AdminCustomer, AdminOrganization } from '@connector-auth/api/admin';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ApiError } from '../../api/api-error.ts';
import type { App } from '../../app.ts';
import type { Scope, Target } from './target.ts';

const delayMs = 250;
const maxMatches = 8;

/** Finds what an incident can be about, by scope and name. */
export class TargetSearch implements ReactiveController {
  /** The first matches, or null while they are loaded for the first time. */
  matches: readonly Target[] | null = null;
  hasMore = false;
  failure: ApiError | null = null;
  text = '';
  #scope: Scope | null = null;
  #request: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ReactiveControllerHost & { readonly app: App }) {
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  /** Starts a new search in another scope. */
  show(scope: Scope): void {
    this.#scope = scope;
    this.text = '';
    this.matches = null;
    void this.reload();
  }

  /** Searches as soon as the operator pauses. */
  search(text: string): void {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.reload(), delayMs);
    this.host.requestUpdate();
  }

  readonly reload = async (): Promise<void> => {
    const scope = this.#scope;
    if (scope === null) return;
    clearTimeout(this.#timer);
    this.#request?.abort();
    const { signal } = (this.#request = new AbortController());
    this.failure = null;
    this.host.requestUpdate();
    try {
      const matches = await this.#list(scope, signal);
      if (signal.aborted) return;
      this.hasMore = matches.length > maxMatches;
      this.matches = matches.slice(0, maxMatches);
    } catch (error) {
      if (signal.aborted) return;
      this.failure = ApiError.of(error);
    }
    this.host.requestUpdate();
  };

  /** Loads the target with this id. */
  async find(scope: Scope, id: string): Promise<Target | null> {
    const { call } = this.host.app;
    switch (scope) {
      case 'organization':
        return ofOrganization(await call('getOrganization', { params: { organization_id: id } }));
      case 'application':
        return ofApplication(await call('getApplication', { params: { application_id: id } }));
      case 'customer':
        return ofCustomer(await call('getCustomer', { params: { customer_id: id } }));
      case 'kind':
        return (await this.#listKinds()).find(kind => kind.id === id) ?? null;
    }
  }

  async #list(scope: Scope, signal: AbortSignal): Promise<readonly Target[]> {
    const { call } = this.host.app;
    const search = this.text.trim();
    // One more than is shown, to know whether there are more.
    const query = { ...(search === '' ? {} : { search }), sort: 'name', limit: maxMatches + 1 } as const;
    switch (scope) {
      case 'organization':
        return (await call('listOrganizations', { query, signal })).data.map(ofOrganization);
      case 'application':
        return (await call('listApplications', { query, signal })).data.map(ofApplication);
      case 'customer':
        return (await call('listCustomers', { query, signal })).data.map(ofCustomer);
      case 'kind':
        return (await this.#listKinds(signal)).filter(({ name }) =>
          name.toLowerCase().includes(search.toLowerCase()),
        );
    }
  }

  async #listKinds(signal?: AbortSignal): Promise<readonly Target[]> {
    const { kinds } = await this.host.app.call('getOverview', signal ? { signal } : {});
    return kinds.map(({ key, name }) => ({ scope: 'kind', id: key, name }));
  }
}

function ofOrganization({ id, name, customers, connectors }: AdminOrganization): Target {
  return { scope: 'organization', id, name, customers, connectors };
}

function ofApplication({ id, name, client_id: clientId, organizations }: AdminApplication): Target {
  return {
    scope: 'application',
    id,
    name,
    clientId,
    organizations: organizations.map(organization => organization.name),
  };
}

function ofCustomer({ id, name, organization, connectors }: AdminCustomer): Target {
  return { scope: 'customer', id, name, organization, connectors };
}

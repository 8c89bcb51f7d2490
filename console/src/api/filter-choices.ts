import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Call } from './call.ts';

type Choice = readonly [value: string, label: string];

/** Loads the organizations and connector kinds that lists can be filtered by. */
export class FilterChoices implements ReactiveController {
  organizations: readonly Choice[] = [];
  kinds: readonly Choice[] = [];

  constructor(private readonly host: ReactiveControllerHost & { readonly app: { readonly call: Call } }) {
    host.addController(this);
  }

  hostConnected(): void {
    void this.#load();
  }

  /** Returns the name of a connector kind, or its key as long as the names are not loaded. */
  nameOfKind(key: string): string {
    return this.kinds.find(([value]) => value === key)?.[1] ?? key;
  }

  /** Returns the name of an organization, or undefined as long as the names are not loaded. */
  nameOfOrganization(id: string | null): string | undefined {
    return this.organizations.find(([value]) => value === id)?.[1];
  }

  async #load(): Promise<void> {
    const { call } = this.host.app;
    // Without them, the page still works; its own requests show what is wrong.
    const [organizations, overview] = await Promise.allSettled([
      call('listOrganizations', { query: { sort: 'name', limit: 1000 } }),
      call('getOverview'),
    ]);
    if (organizations.status === 'fulfilled') {
      this.organizations = organizations.value.data.map(({ id, name }) => [id, name]);
    }
    if (overview.status === 'fulfilled') {
      this.kinds = overview.value.kinds.map(({ key, name }) => [key, name]);
    }
    this.host.requestUpdate();
  }
}

import type { RequestLog } from '../request-log/request-log.ts';
import type { Clock } from '../simulator/clock.ts';
import type { OAuthApp } from '../simulator/oauth-apps.ts';
import { SandboxError } from '../simulator/sandbox-error.ts';
import type { Settings } from '../simulator/settings.ts';
import type { TokenStore } from '../simulator/tokens.ts';
import type { Credential, Simulation, Vendor } from '../simulator/vendor.ts';
import type { Faults } from './faults.ts';

/** A vendor as listed by the control API. */
export interface VendorDescription {
  readonly key: string;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly credentials: readonly Credential[];
  readonly oauthApps: readonly OAuthApp[];
}

/** Controls one vendor. */
export interface VendorControl {
  readonly settings: Settings;
  readonly tokens: TokenStore;
  /** Runs one of the vendor's actions; throws a `SandboxError` for an unknown action. */
  act(action: string, input?: Readonly<Record<string, unknown>>): unknown;
}

/** Controls the sandbox in tests. `/_sandbox` provides the same functions over HTTP. */
export interface SandboxControl {
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly clock: Clock;
  /** Returns the controls for one vendor; throws a `SandboxError` for an unknown key. */
  vendor(key: string): VendorControl;
  vendors(): VendorDescription[];
  /**
   * Removes faults, clears the request log and restores settings. Does not undo data changes made by actions.
   */
  reset(): void;
}

/** A vendor and its running simulation. */
export interface RunningVendor {
  readonly vendor: Vendor;
  readonly settings: Settings;
  readonly tokens: TokenStore;
  readonly oauthApps: readonly OAuthApp[];
  readonly simulation: Simulation;
}

/** Creates the controls for these vendors. */
export function createControl(
  running: readonly RunningVendor[],
  parts: Pick<SandboxControl, 'faults' | 'requests' | 'clock'>,
): SandboxControl {
  return {
    ...parts,
    vendor: key => {
      const found = running.find(({ vendor }) => vendor.key === key);
      if (!found) {
        throw new SandboxError(
          `unknown vendor "${key}"; known vendors: ${running.map(({ vendor }) => vendor.key).join(', ')}`,
        );
      }
      const { settings, tokens, simulation } = found;
      return { settings, tokens, act: (action, input = {}) => findAction(simulation, action)(input) };
    },
    vendors: () =>
      running.map(({ vendor, oauthApps, simulation }) => ({
        key: vendor.key,
        name: vendor.name,
        hosts: vendor.hosts.map(host => (typeof host === 'string' ? host : host.source)),
        credentials: simulation.credentials(),
        oauthApps,
      })),
    reset: () => {
      parts.faults.clear();
      parts.requests.clear();
      for (const { settings } of running) settings.reset();
    },
  };
}

function findAction({ actions = {} }: Simulation, name: string): NonNullable<Simulation['actions']>[string] {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action) return action;
  throw new SandboxError(
    `unknown action "${name}"; known actions: ${Object.keys(actions).join(', ') || 'none'}`,
  );
}

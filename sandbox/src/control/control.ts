import type { RequestLog } from '../request-log/request-log.ts';
import type { Clock } from '../simulator/clock.ts';
import type { OAuthApp } from '../simulator/oauth-apps.ts';
import { SandboxError } from '../simulator/sandbox-error.ts';
import type { Settings } from '../simulator/settings.ts';
import type { TokenStore } from '../simulator/tokens.ts';
import type { Credential, Simulation, Vendor } from '../simulator/vendor.ts';
import type { Faults } from './faults.ts';

/** One vendor as shown to who uses the sandbox. */
export interface VendorDescription {
  readonly key: string;
  readonly name: string;
  readonly hosts: readonly string[];
  readonly credentials: readonly Credential[];
  readonly oauthApps: readonly OAuthApp[];
}

/** The handles of one vendor. */
export interface VendorControl {
  readonly settings: Settings;
  readonly tokens: TokenStore;
  /** Makes something happen in the vendor's world; which actions there are is the vendor's to say. */
  act(action: string, input?: Readonly<Record<string, unknown>>): unknown;
}

/** Everything a test may do to the sandbox and ask of it; the same is reachable over HTTP under `/_sandbox`. */
export interface SandboxControl {
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly clock: Clock;
  /** The handles of one vendor; an unknown key throws a `SandboxError`. */
  vendor(key: string): VendorControl;
  vendors(): VendorDescription[];
  /** Removes faults, clears the log and puts settings back. What actions changed in the data stays. */
  reset(): void;
}

/** A vendor together with its running parts. */
export interface RunningVendor {
  readonly vendor: Vendor;
  readonly settings: Settings;
  readonly tokens: TokenStore;
  readonly oauthApps: readonly OAuthApp[];
  readonly simulation: Simulation;
}

/** The control over these running vendors. */
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
  throw new SandboxError(`unknown action "${name}"; known actions: ${Object.keys(actions).join(', ') || 'none'}`);
}

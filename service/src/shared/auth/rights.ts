import {
  ConnectorAuthError,
  type ActionName,
  type DataRight,
  type ManagementRight,
} from '@connector-auth/api';
import { integratorSettings, type Kind } from '@connector-auth/connectors/kind';

/**
 * Settings for new connectors, by the key of their kind. The settings in a request take precedence, except those of a page,
 * which cannot set what its token fixes.
 */
export type ReplicationDefaults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What a token allows. */
export interface GrantedRights {
  /** Keys of the allowed connector kinds, or null if all are allowed. */
  readonly allowedSources: readonly string[] | null;
  readonly allowedActions: readonly ActionName[];
  readonly allowedManagement: readonly ManagementRight[];
  readonly allowedData: readonly DataRight[];
}

/** What a caller may do. */
export class Rights {
  readonly granted: GrantedRights;
  readonly #fixedSettings: ReplicationDefaults | null;

  /** @param fixedSettings those that the token of a page fixes. Null for backends, which can change all settings. */
  constructor(granted: GrantedRights, fixedSettings: ReplicationDefaults | null) {
    this.granted = granted;
    this.#fixedSettings = fixedSettings;
  }

  includesSource(kind: string): boolean {
    return this.granted.allowedSources?.includes(kind) ?? true;
  }

  /** @throws ConnectorAuthError `source_not_allowed`. */
  requireSource({ key, name }: Pick<Kind, 'key' | 'name'>): void {
    if (this.includesSource(key)) return;
    throw new ConnectorAuthError('source_not_allowed', `The token does not allow ${name}`);
  }

  /** @throws ConnectorAuthError `action_not_allowed`. */
  requireAction(action: ActionName): void {
    const { allowedActions: actions } = this.granted;
    if (actions.includes(action)) return;
    throw new ConnectorAuthError(
      'action_not_allowed',
      actions.length === 0 ? 'The token allows no actions' : `The token allows only ${actions.join(', ')}`,
    );
  }

  /** @throws ConnectorAuthError `management_not_allowed`. */
  requireManagement(right: ManagementRight): void {
    if (this.granted.allowedManagement.includes(right)) return;
    throw new ConnectorAuthError(
      'management_not_allowed',
      `The token does not allow ${right}: request a token whose allowed_management includes it`,
    );
  }

  /** Returns the settings that the token fixes for connectors of a kind. */
  fixedSettingsOf({ key }: Pick<Kind, 'key'>): readonly string[] {
    return Object.keys(this.#fixedSettings?.[key] ?? {});
  }

  /**
   * @throws ConnectorAuthError `invalid_credentials` if a page sends a setting that only the integrator may set, or that its
   * token fixes.
   */
  requireSettings(kind: Kind, given: Readonly<Record<string, unknown>> = {}): void {
    if (this.#fixedSettings === null) return;
    const fixed = new Set([...integratorSettings(kind), ...this.fixedSettingsOf(kind)]);
    const forbidden = [...fixed].filter(name => Object.hasOwn(given, name));
    if (forbidden.length === 0) return;
    const message =
      'A page cannot set this: set it in replication_defaults when your server requests the token';
    throw ConnectorAuthError.invalid(
      'invalid_credentials',
      forbidden.map(name => ({ path: `replication_config.${name}`, message })),
    );
  }
}

// oxlint-disable-next-line no-restricted-imports -- measures what the library has parsed
import { stringifyJson } from '@connector-auth/api';
import { errors, type ClientMetadata } from 'oidc-provider';

/** Also the library's limit for metadata documents. */
const maxMetadataBytes = 5 * 1024;

/**
 * Applies our rules to what a client says about itself, before the library validates it. Clients ask for more than they
 * need, such as the device flow, so what is not supported is ignored instead of rejected.
 */
export function applyClientRules(metadata: Partial<ClientMetadata>): void {
  // Allows loopback addresses with any port, and schemes of apps, also beside `https`; and forbids `http` otherwise.
  metadata.application_type = 'native';
  metadata.response_types = ['code'];
  if (Array.isArray(metadata.grant_types)) {
    const { grant_types: wanted } = metadata;
    metadata.grant_types = supportedGrantTypes.filter(
      type => type === 'authorization_code' || wanted.includes(type),
    );
  }
  // People decide on scopes. The others are of OpenID Connect.
  for (const name of ignored) delete metadata[name];
  if (Buffer.byteLength(stringifyJson(metadata)) > maxMetadataBytes) {
    throw new errors.InvalidClientMetadata('client metadata must be smaller than 5 KiB');
  }
}

export const supportedGrantTypes = ['authorization_code', 'refresh_token'];

const ignored = [
  'scope',
  'contacts',
  'default_acr_values',
  'default_max_age',
  'initiate_login_uri',
  'response_modes',
  'require_auth_time',
  'sector_identifier_uri',
  'subject_type',
  'id_token_signed_response_alg',
] as const;

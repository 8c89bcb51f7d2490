// oxlint-disable-next-line no-restricted-imports -- measures what the library has parsed
import { stringifyJson } from '@connector-auth/api';
import { errors, type ClientMetadata, type JWKS } from 'oidc-provider';

/** Also the library's limit for metadata documents. */
export const maxMetadataBytes = 5 * 1024;
/** Longer ids, which can be URLs, do not fit into indexes of the database. */
const maxClientIdBytes = 1_500;
const maxKeys = 5;
/** 65537. */
const usualExponent = Buffer.from([1, 0, 1]).toString('base64url');
/** How long an assertion is valid at most: 5 minutes, and a minute for clocks that differ. */
const maxAssertionLifetimeSeconds = 360;
const maxAssertionIdLength = 256;
/** Apps with a scheme that is not a domain name in reverse, as RFC 8252 wants it. */
const appSchemes = new Set([
  'chatgpt',
  'claude',
  'codex',
  'cursor',
  'raycast',
  'vscode',
  'vscode-insiders',
  'windsurf',
  'zed',
]);

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
  requireSafeRedirects(metadata.redirect_uris);
  const { token_endpoint_auth_method: method, jwks, jwks_uri: keysUrl } = metadata;
  // Anyone can register, and could have signatures verified and URLs read.
  if (
    !isDocumentUrl(metadata.client_id) &&
    (method === 'private_key_jwt' || jwks !== undefined || keysUrl !== undefined)
  ) {
    throw new errors.InvalidClientMetadata('only a client with a metadata document can have keys');
  }
  if (isKeySet(jwks)) metadata.jwks = acceptedKeys(jwks);
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

/** Returns whether a client can have this id. */
export function isClientId(id: string): boolean {
  return !id.includes('\0') && Buffer.byteLength(id) <= maxClientIdBytes;
}

export function isKeySet(value: unknown): value is JWKS {
  return (
    typeof value === 'object' &&
    value !== null &&
    'keys' in value &&
    Array.isArray(value.keys) &&
    value.keys.every(key => typeof key === 'object' && key !== null)
  );
}

/** Returns the keys of a client that are supported: those whose signatures take little time to verify. */
export function acceptedKeys({ keys }: JWKS): JWKS {
  const accepted = keys.filter(({ kty, crv, n, e }) =>
    kty === 'RSA' ? e === usualExponent && isRsaModulus(n) : kty === 'EC' && crv === 'P-256',
  );
  if (accepted.length > maxKeys) {
    throw new errors.InvalidClientMetadata(`a client can have at most ${maxKeys} keys`);
  }
  return { keys: accepted };
}

/** Returns whether it has 2048 to 4096 bits. */
function isRsaModulus(modulus: unknown): boolean {
  const { length } = Buffer.from(typeof modulus === 'string' ? modulus : '', 'base64url');
  return length >= 256 && length <= 512;
}

/** Rejects what would be remembered for long, so that it is used only once. */
export function requireShortAssertion({ exp, jti }: Readonly<Record<string, unknown>>): void {
  if (!(Number(exp) <= Date.now() / 1000 + maxAssertionLifetimeSeconds)) {
    throw new errors.InvalidClientAuth('exp of a client assertion must be within 5 minutes');
  }
  if (String(jti).length > maxAssertionIdLength) {
    throw new errors.InvalidClientAuth(
      `jti of a client assertion must have at most ${maxAssertionIdLength} characters`,
    );
  }
}

/** The id of a client that registers is random. */
function isDocumentUrl(clientId: string | undefined): boolean {
  return clientId?.toLowerCase().startsWith('https://') === true;
}

/** The library requires that `http` is only for loopback addresses. */
function requireSafeRedirects(uris: unknown): void {
  for (const uri of Array.isArray(uris) ? uris : []) {
    const url = URL.parse(String(uri));
    // The library rejects it.
    if (url === null) continue;
    const scheme = url.protocol.slice(0, -1);
    if (!['https', 'http'].includes(scheme) && !scheme.includes('.') && !appSchemes.has(scheme)) {
      throw new errors.InvalidClientMetadata(
        'redirect_uris must have https, a loopback address, or a scheme that is a domain name in reverse',
      );
    }
    if (url.username !== '' || url.password !== '') {
      throw new errors.InvalidClientMetadata('redirect_uris must not contain a user or a password');
    }
  }
}

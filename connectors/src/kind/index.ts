export {
  check,
  execute,
  isReading,
  type CheckResult,
  type ExecuteOptions,
  type Operation,
  type ReadRights,
} from './execute.ts';
export {
  consentUrl,
  readTokenError,
  readStandardCallback,
  type CodeExchange,
  type Consent,
  type ConsentOutcome,
  type ConsentRequest,
  type Scope,
} from './consent.ts';
export { connect, type Connection, type ConnectionOptions } from './connection.ts';
export { connectorClass, type ConnectorFace, type ConnectorOptions } from './connector.ts';
export type { HostedOptions } from './hosted.ts';
export type { OpenOptions } from './runner.ts';
export { credentialVariable, parseGrant, parseSettings } from './credentials.ts';
export {
  describeAccess,
  describeAccounts,
  describeAuthMethods,
  describeEntities,
  describeIssues,
  describeSettings,
  describeSource,
  integratorSettings,
  titleOf,
} from './describe.ts';
export { readExamples, type Example, type Examples } from './examples.ts';
export {
  describeFields,
  describeKind,
  type EntityReference,
  type FieldReference,
  type KindReference,
} from './reference.ts';
export {
  comparisonOperators,
  isIdName,
  type ComparisonOperator,
  type ElementFilter,
  type SearchFields,
  type SearchFilter,
  type SearchOutcome,
  type SearchPage,
  type SearchParams,
  type SearchPath,
  type SearchRecord,
  type SearchSort,
} from './search.ts';
export { waitForLimits, type LimitContext } from './limits.ts';
export {
  brokenPage,
  readRetryAfter,
  requireRecords,
  vendorError,
  type VendorFailure,
  type VendorFailureKind,
} from './failure.ts';
export { grantsInMemory, renewalTimeoutMs, type Grant, type Grants, type OAuthApp } from './grants.ts';
export {
  defineAction,
  defineKind,
  methodOf,
  plainName,
  type AccountList,
  type Accounts,
  type Action,
  type AuthMethod,
  type Check,
  type CheckedAccount,
  type Entity,
  type Kind,
  type Outcome,
  type RateLimit,
  type Refresh,
  type Revocation,
  type Searchable,
  type SearchType,
  type Sync,
  type SyncPage,
  type SyncStart,
} from './kind.ts';
export {
  bucketsInMemory,
  createLimiter,
  type BucketStore,
  type Reservation,
  type ReservationRequest,
} from './buckets.ts';
export {
  backgroundShare,
  perDay,
  reservedForInteractive,
  unlimited,
  type Bucket,
  type Limiter,
  type Priority,
  type WaitOptions,
} from './rate-limit.ts';
export { appSecretsOf, createMask, headerSecretsOf, readMasked, secretsOf, type Mask } from './mask.ts';
export { syncPages } from './sync-pages.ts';
export {
  asArray,
  asInteger,
  asObject,
  asString,
  fillFields,
  onlyDeclared,
  readDeclared,
  recordId,
} from './record.ts';
export { searchFieldsOf, type SearchFieldsOf } from './search-fields.ts';
export {
  createTransport,
  isAllowedHost,
  isSandboxUrl,
  requireHost,
  sandboxUrlRule,
  throughSandbox,
  TransportError,
  type ResponseMemory,
  type Transport,
  type TransportOptions,
} from './transport.ts';
export { messages as sharedMessages } from './messages/index.ts';
export { translator, type Translate } from './translate.ts';
export { fill, type Messages, type Translation, type Words } from './words.ts';
export type { SendOptions, Vendor, VendorResponse, VendorRequest } from './vendor.ts';

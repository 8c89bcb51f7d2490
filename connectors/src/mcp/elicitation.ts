import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  UrlElicitationRequiredError,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { asObject } from '../kind/record.ts';
import type { UrlRequest, UrlSupport } from './tool.ts';

/** The only request of a call. */
const key = 'url';

/**
 * Returns how the client of a call opens URLs. In the current revision of the protocol, each call says so. In that of
 * 2025, only the handshake does.
 */
export function urlSupportOf({ mcpReq }: ServerContext, declaredBefore: boolean): UrlSupport {
  const capabilities = asObject(mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY];
  if (capabilities === undefined) return { opens: declaredBefore ? 'then_repeats' : 'never', decision: null };
  const id = mcpReq.requestState();
  const response = mcpReq.inputResponses?.[key];
  return {
    opens: declaresUrls(capabilities) ? 'then_reports' : 'never',
    decision:
      typeof id === 'string' && response !== undefined
        ? { id, isAccepted: asObject(response)['action'] === 'accept' }
        : null,
  };
}

/** Returns whether a client declares, in its capabilities, that it opens URLs. */
export function declaresUrls(capabilities: unknown): boolean {
  return asObject(asObject(capabilities)['elicitation'])['url'] !== undefined;
}

/** Returns the result that asks for a URL to be opened. @throws UrlElicitationRequiredError in the revision of 2025. */
export function askForUrl({ id, url, message }: UrlRequest, { opens }: UrlSupport): InputRequiredResult {
  if (opens === 'then_reports') {
    return inputRequired({
      inputRequests: { [key]: inputRequired.elicitUrl({ url, message }) },
      requestState: id,
    });
  }
  throw new UrlElicitationRequiredError([{ mode: 'url', elicitationId: id, url, message }], message);
}

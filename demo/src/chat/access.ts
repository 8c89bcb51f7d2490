/** Signs people in at the service for the chat, which is an MCP client like any other. */
import { randomUUID } from 'node:crypto';
import {
  auth,
  OAuthError,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { SignInRequiredError } from './answer-error.ts';

/** What the chat asks for. It only reads, whatever the person could allow. */
const scope = 'read search';

const sentences = {
  first: 'Ask Fieldbook is an agent like any other: sign in to choose what it may read of your data.',
  ended: 'Ask Fieldbook’s access has ended or was revoked. Sign in again to get the answer.',
  tooLittle: 'This answer needs more than you allowed Ask Fieldbook to do. Sign in again to allow it.',
  denied: 'You didn’t allow access. Sign in when you want Ask Fieldbook to answer.',
  incomplete: 'The sign-in wasn’t completed. Try again.',
};

interface SessionAccess {
  tokens?: StoredOAuthTokens | undefined;
  /** Why there are no tokens, and what to do. */
  reason: string;
  /** The latest sign-in that the person started. */
  signIn?: { readonly state: string; readonly provider: OAuthClientProvider; readonly returnTo: string };
}

/** What each session of Fieldbook may read, in memory. */
export class ChatAccess {
  readonly url: URL;
  readonly #sessions = new Map<string, SessionAccess>();
  readonly #redirectUrl: string;
  #client: StoredOAuthClientInformation | undefined;

  /** @param origin of Fieldbook's own pages. */
  constructor(serviceUrl: string, origin: string) {
    this.url = new URL(`${serviceUrl}/mcp`);
    this.#redirectUrl = `${origin}/api/chat/callback`;
  }

  /** Returns why the person has to sign in before they ask; null if they have. */
  reasonToSignIn(sessionId: string | null): string | null {
    const { tokens, reason } = this.#of(sessionId);
    return tokens ? null : reason;
  }

  /**
   * Returns what the MCP client takes its tokens from, which it renews. Where the person would have to sign in, the client
   * throws SignInRequiredError, because an answer cannot send the browser away.
   */
  providerOf(sessionId: string | null): OAuthClientProvider {
    const session = this.#of(sessionId);
    return {
      redirectUrl: this.#redirectUrl,
      clientMetadata: {
        client_name: 'Ask Fieldbook',
        redirect_uris: [this.#redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => this.#client,
      saveClientInformation: client => void (this.#client = client),
      tokens: () => session.tokens,
      saveTokens: tokens => void (session.tokens = tokens),
      invalidateCredentials: what => {
        if (what === 'client') this.#client = undefined;
        if (what === 'tokens') Object.assign(session, { tokens: undefined, reason: sentences.ended });
      },
      // The first step of every sign-in.
      state: () => {
        throw new SignInRequiredError(session.tokens ? sentences.tooLittle : session.reason);
      },
      codeVerifier: () => '',
      saveCodeVerifier: () => {},
      redirectToAuthorization: () => {},
    };
  }

  /** Starts a sign-in, and returns the URL to send the browser to. */
  async start(sessionId: string | null, returnTo: string): Promise<string> {
    const session = this.#of(sessionId);
    if (sessionId !== null) this.#sessions.set(sessionId, session);
    const state = randomUUID();
    let url = returnTo;
    let verifier = '';
    let discovered: OAuthDiscoveryState | undefined;
    const provider: OAuthClientProvider = {
      ...this.providerOf(sessionId),
      state: () => state,
      codeVerifier: () => verifier,
      saveCodeVerifier: created => void (verifier = created),
      discoveryState: () => discovered,
      saveDiscoveryState: found => void (discovered = found),
      redirectToAuthorization: ({ href }) => void (url = href),
    };
    try {
      await auth(provider, { serverUrl: this.url, scope, forceReauthorization: true });
      session.signIn = { state, provider, returnTo };
    } catch (error) {
      console.error(error);
      session.reason = `Can’t sign in at ${this.url}. Check that the service runs, and that agents may sign in.`;
    }
    return url;
  }

  /** Completes the latest sign-in with what the browser brings back, and returns where the person came from. */
  async finish(sessionId: string | null, returned: URLSearchParams): Promise<string> {
    const session = this.#of(sessionId);
    session.reason = sentences.incomplete;
    if (returned.get('state') !== session.signIn?.state) return '/';
    const { provider, returnTo } = session.signIn;
    delete session.signIn;
    try {
      await new StreamableHTTPClientTransport(this.url, { authProvider: provider }).finishAuth(returned);
    } catch (error) {
      if (error instanceof OAuthError && error.code === 'access_denied') session.reason = sentences.denied;
      else console.error(error);
    }
    return returnTo;
  }

  #of(sessionId: string | null): SessionAccess {
    return this.#sessions.get(sessionId ?? '') ?? { reason: sentences.first };
  }
}

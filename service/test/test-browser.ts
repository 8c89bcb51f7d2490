import { Agent, request as send } from 'undici';
import type { TestService } from './test-service.ts';

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The target of a redirect, or null if there is no redirect. */
  readonly location: string | null;
}

export interface Visit {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** The page that the user comes from. */
  readonly referer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>> | URLSearchParams;
  /** The body that a script of the page sends. */
  readonly json?: unknown;
}

/** The response to starting an OAuth flow. */
export interface StartedConsent {
  readonly consent_url: string;
  readonly session_id: string;
  /** Present if a widget started the flow. */
  readonly start_proof?: string;
}

/**
 * Simulates a user's browser, which has cookies but no token. Replaces the service's public URL with its
 * actual address.
 */
export class TestBrowser {
  readonly #service: Pick<TestService, 'url'>;
  readonly #publicUrl: string;
  readonly #agent = new Agent();
  readonly cookies = new Map<string, string>();

  constructor(service: Pick<TestService, 'url'>, publicUrl: string) {
    this.#service = service;
    this.#publicUrl = publicUrl;
  }

  /** Loads a page without following redirects. */
  async visit(url: string, { method = 'GET', referer, headers = {}, form, json }: Visit = {}): Promise<Page> {
    const isOurs = url.startsWith(`${this.#publicUrl}/`);
    const address = isOurs ? url.replace(this.#publicUrl, this.#service.url) : url;
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await send(address, {
      method,
      dispatcher: this.#agent,
      headers: {
        ...(referer === undefined ? {} : { referer }),
        ...(isOurs && cookie !== '' ? { cookie } : {}),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: form ? new URLSearchParams(form).toString() : json === undefined ? null : JSON.stringify(json),
    });
    if (isOurs) this.#storeCookies(response.headers['set-cookie']);
    const { location } = response.headers;
    return {
      status: response.statusCode,
      headers: response.headers,
      text: await response.body.text(),
      location: typeof location === 'string' ? location : null,
    };
  }

  /**
   * Goes to the vendor's consent page as from a page at `referer`: with the widget's form if a widget started
   * the flow, otherwise with a link. Returns the URL of the vendor's page.
   */
  async reachVendor(started: StartedConsent, referer: string): Promise<string> {
    const { location, status, text } =
      started.start_proof === undefined
        ? await this.visit(started.consent_url, { referer })
        : await this.submitStartForm(started, { origin: new URL(referer).origin });
    const vendorUrl = location ?? targetOf(text);
    if (vendorUrl === null) throw new Error(`The service did not continue: ${status} ${text}`);
    return vendorUrl;
  }

  /** Submits the form with which a widget starts an OAuth flow. */
  submitStartForm(
    { session_id, start_proof = '' }: { session_id: string; start_proof?: string | undefined },
    headers: Readonly<Record<string, string>>,
  ): Promise<Page> {
    return this.visit(`${this.#publicUrl}/oauth/start`, {
      method: 'POST',
      headers,
      form: { session_id, start_proof },
    });
  }

  /** Submits a decision on the vendor's page and returns the URL to which the vendor redirects. */
  async decide(vendorUrl: string, decision: 'allow' | 'deny', account?: string): Promise<string> {
    const page = await this.visit(vendorUrl);
    const first = /name="account"\s+value="([^"]*)"/.exec(page.text)?.[1];
    const form = { decision, account: account ?? first ?? '' };
    const { location, status, text } = await this.visit(vendorUrl, { method: 'POST', form });
    if (location === null) throw new Error(`The vendor did not redirect: ${status}: ${text}`);
    return location;
  }

  /** Completes a consent and returns the URL to which the service finally redirects. */
  async consent(
    started: StartedConsent,
    referer: string,
    decision: 'allow' | 'deny' = 'allow',
    account?: string,
  ): Promise<string> {
    const back = await this.decide(await this.reachVendor(started, referer), decision, account);
    const { location, status, text } = await this.visit(back);
    if (location === null) throw new Error(`The callback did not redirect: ${status}: ${text}`);
    return location;
  }

  async leave(): Promise<void> {
    await this.#agent.close();
  }

  #storeCookies(header: string | string[] | undefined): void {
    for (const line of [header ?? []].flat()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** Returns the URL to which a page continues without a click, or null if it does not. */
export function targetOf(page: string): string | null {
  const target = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(page)?.[1];
  return target?.replaceAll(/&#(\d+);/g, (_match, code: string) => String.fromCharCode(Number(code))) ?? null;
}

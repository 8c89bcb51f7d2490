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
  readonly method?: 'GET' | 'POST';
  /** The page that the user comes from. */
  readonly referer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

/**
 * Simulates a user's browser, which has cookies but no token. Replaces the service's public URL with its
 * actual address.
 */
export class TestBrowser {
  readonly #service: TestService;
  readonly #publicUrl: string;
  readonly #agent = new Agent();
  readonly cookies = new Map<string, string>();

  constructor(service: TestService, publicUrl: string) {
    this.#service = service;
    this.#publicUrl = publicUrl;
  }

  /** Loads a page without following redirects. */
  async visit(url: string, { method = 'GET', referer, headers = {}, form }: Visit = {}): Promise<Page> {
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
        ...headers,
      },
      body: form ? new URLSearchParams(form).toString() : null,
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

  /** Follows the consent URL and returns the URL of the vendor's consent page. */
  async reachVendor(consentUrl: string, referer: string): Promise<string> {
    const { location, status, text } = await this.visit(consentUrl, { referer });
    if (location === null) throw new Error(`The consent URL did not redirect: ${status} ${text}`);
    return location;
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
    consentUrl: string,
    referer: string,
    decision: 'allow' | 'deny' = 'allow',
    account?: string,
  ): Promise<string> {
    const back = await this.decide(await this.reachVendor(consentUrl, referer), decision, account);
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

import { Agent, request as send } from 'undici';
import type { StartedService } from './test-service.ts';

/** What a browser was answered. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Where it is sent next; null when it stays. */
  readonly location: string | null;
}

export interface Visit {
  readonly method?: 'GET' | 'POST';
  /** The page the person comes from, as their browser tells it. */
  readonly referer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

/** A person with a browser: cookies, no token. Addresses at the service's public URL are taken to where it really is. */
export class Person {
  readonly #service: StartedService;
  readonly #publicUrl: string;
  readonly #agent = new Agent();
  readonly cookies = new Map<string, string>();

  constructor(service: StartedService, publicUrl: string) {
    this.#service = service;
    this.#publicUrl = publicUrl;
  }

  /** Loads a page, without following where it leads. */
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
    if (isOurs) this.#keep(response.headers['set-cookie']);
    const { location } = response.headers;
    return {
      status: response.statusCode,
      headers: response.headers,
      text: await response.body.text(),
      location: typeof location === 'string' ? location : null,
    };
  }

  /** Goes to the vendor's consent page; its address there. */
  async reachVendor(consentUrl: string, referer: string): Promise<string> {
    const { location, status, text } = await this.visit(consentUrl, { referer });
    if (location === null) throw new Error(`The consent does not go on: ${status} ${text}`);
    return location;
  }

  /** Decides on the vendor's page; where the vendor sends the browser. */
  async decide(vendorUrl: string, decision: 'allow' | 'deny', account?: string): Promise<string> {
    const page = await this.visit(vendorUrl);
    const first = /name="account"\s+value="([^"]*)"/.exec(page.text)?.[1];
    const form = { decision, account: account ?? first ?? '' };
    const { location, status, text } = await this.visit(vendorUrl, { method: 'POST', form });
    if (location === null) throw new Error(`The vendor stays at ${status}: ${text}`);
    return location;
  }

  /** All of it: to the vendor, a decision, and back; where the service sends the browser in the end. */
  async consent(
    consentUrl: string,
    referer: string,
    decision: 'allow' | 'deny' = 'allow',
    account?: string,
  ): Promise<string> {
    const back = await this.decide(await this.reachVendor(consentUrl, referer), decision, account);
    const { location, status, text } = await this.visit(back);
    if (location === null) throw new Error(`The callback stays at ${status}: ${text}`);
    return location;
  }

  async leave(): Promise<void> {
    await this.#agent.close();
  }

  #keep(header: string | string[] | undefined): void {
    for (const line of [header ?? []].flat()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

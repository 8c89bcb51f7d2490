import { expect } from 'vitest';
import { targetOf, TestBrowser, type Page } from './test-browser.ts';
import type { TestService } from './test-service.ts';

/** A browser on the pages of connect links. Does what their script and forms do. */
export class LinkPageBrowser extends TestBrowser {
  readonly #origin: string;

  constructor(service: TestService, publicUrl: string) {
    super(service, publicUrl);
    this.#origin = new URL(publicUrl).origin;
  }

  /** Loads a link's page. The browser does not send the fragment. */
  async load(url: string): Promise<Page> {
    return this.visit(url.replace(/#.*/, ''));
  }

  /** Sends a request as the script of a link's page. */
  async send(url: string, action: string, json: unknown = {}, headers = {}): Promise<Page> {
    return this.visit(`${url.replace(/#.*/, '')}/${action}`, {
      method: 'POST',
      json,
      headers: {
        origin: this.#origin,
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'cors',
        ...headers,
      },
    });
  }

  /** Opens a link as the page's script does, and loads the page that follows. */
  async open(url: string): Promise<Page> {
    const opened = await this.send(url, 'open', { secret: url.split('#')[1] });
    expect(opened.status, opened.text).toBe(204);
    return this.load(url);
  }

  /** Submits the form of a link's page. */
  async submit(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.visit(`${url.replace(/#.*/, '')}/confirm`, {
      method: 'POST',
      form: {},
      headers: {
        origin: this.#origin,
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        ...headers,
      },
    });
  }

  /** Submits the form of a link's page and returns the code that the browser carries to the helper. */
  async codeFor(url: string): Promise<string> {
    const shown = await this.submit(url);
    return new URL(targetOf(shown.text) ?? '').searchParams.get('code') ?? '';
  }

  /** Sends the code of the URL with which the helper returned, and loads the page that follows. */
  async goBack(returnUrl: string): Promise<Page> {
    const confirmed = await this.send(returnUrl, 'return', { code: returnUrl.split('#return=')[1] });
    expect(confirmed.status, confirmed.text).toBe(204);
    return this.load(returnUrl);
  }
}

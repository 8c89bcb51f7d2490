import { setTimeout as pause } from 'node:timers/promises';
import { findTarget, type Target } from './find-target.ts';

/** What a journey needs from a browser's window. Firefox and WebKit implement it. */
export interface Driver {
  goto(url: string): Promise<void>;
  url(): Promise<string>;
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  clickAt(x: number, y: number): Promise<void>;
  /** Presses and releases a key, or types one character. */
  press(key: string): Promise<void>;
  /** Does something that opens a window; resolves with that window. */
  opened(action: () => Promise<void>): Promise<Driver>;
  isClosed(): Promise<boolean>;
  close(): Promise<void>;
}

/** The timeout for everything that the page is expected to do. As in all tests, it only stops what hangs. */
const timeoutMs = 60_000;

/**
 * A window in which journeys act as users do. Selectors also match inside shadow roots, and only visible elements.
 * `text` is matched against the accessible label or the text.
 */
export class Tab {
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  open(url: string): Promise<void> {
    return this.#driver.goto(url);
  }

  url(): Promise<string> {
    return this.#driver.url();
  }

  /** Runs a function in the page. It can use nothing but its arguments, which are passed as JSON. */
  evaluate<Value, Arguments extends readonly unknown[]>(
    run: (...values: Arguments) => Value,
    ...values: Arguments
  ): Promise<Value> {
    const expression = `(${run.toString()})(...${JSON.stringify(values)})`;
    return this.#driver.evaluate(expression) as Promise<Value>;
  }

  /** Resolves with the text of the first matching element, as soon as it is visible. */
  async see(selector: string, text?: RegExp): Promise<string> {
    return (await this.#find(selector, text)).text;
  }

  /** Resolves with the texts of all matching elements that are visible now. */
  async texts(selector: string): Promise<readonly string[]> {
    return (await this.#look(selector)).map(({ text }) => text);
  }

  /** Resolves as soon as no matching element is visible. */
  async gone(selector: string, text?: RegExp): Promise<void> {
    await waitUntil(
      async () => !(await this.#look(selector, text)).length,
      () => `${describe(selector, text)} is still visible`,
    );
  }

  /** Clicks an element with the mouse once nothing covers it and it no longer moves. */
  async click(selector: string, text?: RegExp): Promise<void> {
    let before: Target | undefined;
    let target: Target | undefined;
    await waitUntil(
      async () => {
        before = target;
        target = (await this.#look(selector, text))[0];
        return target?.isOnTop === true && target.x === before?.x && target.y === before.y;
      },
      () => `${describe(selector, text)} cannot be clicked: ${JSON.stringify(target)}`,
    );
    // The loop has found it.
    const { x, y } = target as unknown as Target;
    await this.#driver.clickAt(x, y);
  }

  /** Replaces the text in a field. */
  async fill(selector: string, value: string): Promise<void> {
    await this.click(selector);
    await this.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      if (element instanceof HTMLInputElement) element.select();
    });
    for (const character of value) await this.#driver.press(character);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#driver.press(key);
  }

  /** Returns the `part` of the focused element, or its tag if it has none. */
  focused(): Promise<string | undefined> {
    return this.evaluate(() => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element?.getAttribute('part') ?? element?.localName;
    });
  }

  /** Does something that opens a window; resolves with that window. */
  async opened(action: () => Promise<void>): Promise<Tab> {
    return new Tab(await this.#driver.opened(action));
  }

  /** Resolves as soon as the window is closed. */
  async closed(): Promise<void> {
    await waitUntil(
      () => this.#driver.isClosed(),
      () => 'the window is still open',
    );
  }

  close(): Promise<void> {
    return this.#driver.close();
  }

  async #find(selector: string, text?: RegExp): Promise<Target> {
    let targets: readonly Target[] = [];
    await waitUntil(
      async () => {
        targets = await this.#look(selector, text);
        return targets.length > 0;
      },
      async () => {
        const shown = await this.evaluate(findTarget, 'h1, h2, .notice, [role="status"]', '');
        return `${describe(selector, text)} did not appear; the page shows ${JSON.stringify(shown.map(target => target.text))}`;
      },
    );
    // The loop has found one.
    return targets[0] as Target;
  }

  /** Returns nothing while a page is being replaced. */
  async #look(selector: string, text?: RegExp): Promise<readonly Target[]> {
    return this.evaluate(findTarget, selector, text?.source ?? '').catch(() => []);
  }
}

/** Resolves once the check returns true. Polls, because nothing announces a change in another process. */
export async function waitUntil(
  check: () => Promise<boolean>,
  describeFailure: () => string | Promise<string>,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(await describeFailure());
    await pause(50);
  }
}

function describe(selector: string, text?: RegExp): string {
  return text ? `${selector} ${String(text)}` : selector;
}

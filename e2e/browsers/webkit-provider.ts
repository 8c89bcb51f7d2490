import { playwright, PlaywrightBrowserProvider } from '@vitest/browser-playwright';
import type { BrowserProviderOption } from 'vitest/node';
import { startWebKit, type WebKit } from './webkit.ts';

/**
 * Runs Vitest's browser tests in WebKitGTK. Vitest's own commands for clicks and keys stay in use: they find
 * the few methods of a Playwright page that they call, implemented by WebDriver.
 */
export function webKitGtk(): BrowserProviderOption {
  return {
    ...playwright(),
    prewarm: () => {},
    providerFactory: project => new WebKitProvider(project, {}),
  };
}

class WebKitProvider extends PlaywrightBrowserProvider {
  override supportsParallelism = false;
  #browser: Promise<WebKit> | null = null;

  override async openPage(_sessionId: string, url: string): Promise<void> {
    this.#browser ??= startWebKit();
    await (await this.#browser).goto(url);
  }

  // The commands call only what `pageOf` implements.
  override getPage(): ReturnType<PlaywrightBrowserProvider['getPage']> {
    if (!this.#browser) throw new Error('No page was opened');
    return pageOf(this.#browser) as unknown as ReturnType<PlaywrightBrowserProvider['getPage']>;
  }

  override getCommandsContext(): ReturnType<PlaywrightBrowserProvider['getCommandsContext']> {
    if (!this.#browser) throw new Error('No page was opened');
    const browser = this.#browser;
    return {
      page: this.getPage(),
      frame: () => Promise.resolve({ evaluate: () => run(browser, 'frame.focus()') }),
      iframe: { locator: (selector: string) => locatorOf(browser, selector) },
    } as unknown as ReturnType<PlaywrightBrowserProvider['getCommandsContext']>;
  }

  override async close(): Promise<void> {
    await (await this.#browser)?.quit();
    this.#browser = null;
  }
}

function pageOf(browser: Promise<WebKit>) {
  return {
    setViewportSize: () => Promise.resolve(),
    keyboard: {
      down: async (key: string) => (await browser).keyDown(key),
      up: async (key: string) => (await browser).keyUp(key),
      insertText: (text: string) =>
        run(browser, 'frame.document.execCommand("insertText", false, values[0])', text),
    },
  };
}

/** @param selector the element's number in the list that element-numbers.ts keeps in the page. */
function locatorOf(browser: Promise<WebKit>, selector: string) {
  const click = async (clickCount: number) => {
    const { x, y } = await run<{ x: number; y: number }>(browser, centerOfElement, selector);
    await (await browser).clickAt(x, y, clickCount);
  };
  return {
    click: () => click(1),
    dblclick: () => click(2),
    fill: (text: string) => run(browser, fillElement, selector, text),
  };
}

/** Runs statements in the tester's frame, as which `frame` is available to them. */
async function run<Value>(
  browser: Promise<WebKit>,
  statements: string,
  ...values: unknown[]
): Promise<Value> {
  return (await browser).evaluate<Value>(
    `const values = [...arguments];
    const iframe = document.querySelector('iframe[data-vitest="true"]');
    const frame = iframe.contentWindow;
    ${statements}`,
    ...values,
  );
}

const centerOfElement = `
  const element = frame.numberedElements[values[0]];
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  const outer = iframe.getBoundingClientRect();
  const scale = outer.width / frame.innerWidth;
  return {
    x: outer.x + (box.x + box.width / 2) * scale,
    y: outer.y + (box.y + box.height / 2) * scale,
  };`;

const fillElement = `
  const element = frame.numberedElements[values[0]];
  element.focus();
  if (element.matches('select, [type=date], [type=number]')) {
    element.value = values[1];
    element.dispatchEvent(new frame.Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new frame.Event('change', { bubbles: true }));
  } else {
    element.select();
    frame.document.execCommand(values[1] ? 'insertText' : 'delete', false, values[1]);
  }`;

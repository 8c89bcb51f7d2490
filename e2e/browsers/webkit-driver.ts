import type { OpenBrowser } from './firefox-driver.ts';
import { waitUntil, type Driver } from './tab.ts';
import { startWebKit, type WebKit } from './webkit.ts';

/** Starts WebKitGTK with one window. */
export async function openWebKit(options: { readonly isDark: boolean }): Promise<OpenBrowser> {
  const webKit = await startWebKit(options);
  return {
    window: driverOf(webKit, await webKit.currentWindow()),
    name: `WebKitGTK ${webKit.version}`,
    close: () => webKit.quit(),
  };
}

function driverOf(webKit: WebKit, handle: string): Driver {
  /** Every command goes to the current window, so each one chooses its window first. */
  const inWindow = async <Value>(command: () => Promise<Value>): Promise<Value> => {
    await webKit.switchTo(handle);
    return command();
  };
  return {
    goto: url => inWindow(() => webKit.goto(url)),
    url: () => inWindow(() => webKit.url()),
    evaluate: expression => inWindow(() => webKit.evaluate(`return ${expression}`)),
    clickAt: (x, y) => inWindow(() => webKit.clickAt(x, y)),
    press: key =>
      inWindow(async () => {
        await webKit.keyDown(key);
        await webKit.keyUp(key);
      }),
    opened: async action => {
      const before = await webKit.windows();
      await action();
      let opened: string | undefined;
      await waitUntil(
        async () => {
          opened = (await webKit.windows()).find(each => !before.includes(each));
          return opened !== undefined;
        },
        () => 'no window was opened',
      );
      // The loop has found it.
      return driverOf(webKit, opened as unknown as string);
    },
    isClosed: async () => !(await webKit.windows()).includes(handle),
    close: () => inWindow(() => webKit.closeWindow()),
  };
}

import { expect, test } from '../stack.ts';
import type { Tab } from '../tab.ts';
import { pick, seeConnected } from '../widget.ts';

const keyField = '[id="field-credentials.api_key"]';

/** Opens the dialog as the page's own button would. */
async function openDialog(tab: Tab): Promise<void> {
  await tab.evaluate(() => {
    document.querySelector<HTMLElement & { open(): void }>('connector-auth')?.open();
  });
  await tab.see('[part="source"]');
}

test('connects in a dialog, keeps Tab inside and closes on Escape', async ({ tab, host }) => {
  await tab.open(host.addressFor('dialog', { modal: '' }));
  await openDialog(tab);
  const parts: (string | undefined)[] = [];
  do {
    await tab.press('Tab');
    parts.push(await tab.focused());
  } while (parts.at(-1) !== 'close-button' && parts.length < 12);
  expect(parts.at(-1)).toBe('close-button');
  expect(parts).not.toContain('body');

  await tab.press('Escape');
  await tab.gone('dialog');

  await openDialog(tab);
  await pick(tab, 'Granola');
  await tab.fill(keyField, 'grn_sandbox_demo');
  await tab.click('[part="primary-button"]');
  await seeConnected(tab, 'Granola');
});

test.describe('for users who prefer dark pages', () => {
  test.use({ isDark: true });

  test('renders light text on a dark panel', async ({ tab, host }) => {
    await tab.open(host.addressFor('dark', { theme: 'auto' }));
    await tab.see('[part="source"]');
    const [background = 255, text = 0] = await tab.evaluate(() => {
      const panel = document.querySelector('connector-auth')?.shadowRoot?.querySelector('.panel');
      const context = document.createElement('canvas').getContext('2d');
      if (!panel || !context) return [];
      const { backgroundColor, color } = getComputedStyle(panel);
      return [backgroundColor, color].map(paint => {
        context.fillStyle = paint;
        context.fillRect(0, 0, 1, 1);
        return context.getImageData(0, 0, 1, 1).data[1] ?? 0;
      });
    });
    expect(background).toBeLessThan(64);
    expect(text).toBeGreaterThan(192);
  });
});

test('connects in Arabic, from right to left', async ({ tab, host }) => {
  await tab.open(host.addressFor('arabic', { lang: 'ar' }));
  await pick(tab, 'Granola');
  await tab.fill(keyField, 'grn_sandbox_demo');
  await tab.see('.panel[dir="rtl"] [part="primary-button"]');
  const back = await tab.evaluate(() => {
    const panel = document.querySelector('connector-auth')?.shadowRoot?.querySelector('.panel');
    const button = panel?.querySelector('[part="back-button"]');
    const middle = (element: Element | null | undefined) => {
      const { left = 0, width = 0 } = element?.getBoundingClientRect() ?? {};
      return left + width / 2;
    };
    return { button: middle(button), panel: middle(panel) };
  });
  expect(back.button).toBeGreaterThan(back.panel);
  await tab.click('[part="primary-button"]');
  await tab.see('h2', /Granola/);
  await tab.gone(keyField);
  expect(await host.connectorsOf('arabic')).toHaveLength(1);
});

import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { connector, definition, detail, json } from '../gallery/fake-service.ts';
import { scenes } from '../gallery/scenes.ts';
import { keyField, listRoute, openForm, withMine } from '../test/actions.ts';
import { mountWidget, useTokenUrl, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';

const longForm = scenes.find(({ name }) => name === 'form with every kind of field')?.routes ?? {};

describe('the panel', () => {
  const { innerWidth, innerHeight } = window;
  afterEach(() => page.viewport(innerWidth, innerHeight));

  test.each([
    [1280, 900],
    [390, 844],
    [320, 500],
  ])('keeps the main action visible in a dialog of %i × %i pixels', async (width, height) => {
    await page.viewport(width, height);
    const harness = mountWidget(longForm, (widget, service) => {
      widget.modal = true;
      useTokenUrl(widget, service);
    });
    harness.widget.open();
    (await harness.find('[part="source"]')).click();
    const action = await harness.find('form .primary');
    finishAnimations(harness);
    const scroller = await harness.find('.scroller');
    expect(scroller.scrollHeight).toBeGreaterThan(scroller.clientHeight);
    expect(action.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight);
    const dialog = (await harness.find('dialog')).getBoundingClientRect();
    // On phones, the dialog is a sheet at the bottom.
    expect(Math.round(dialog.bottom) === height).toBe(width < 480);
    expect(Math.round(dialog.width) === width).toBe(width < 480);
  });

  test('scrolls an inner element, so that its corners clip the scrollbar', async () => {
    const { find } = mountWidget(longForm);
    (await find('[part="source"]')).click();
    await find('form');
    const panel = await find('.panel');
    expect(panel.scrollHeight).toBe(panel.clientHeight);
    expect(getComputedStyle(panel).overflow).toBe('hidden');
    expect(getComputedStyle(await find('.scroller')).overflowY).toBe('auto');
  });

  test('shows each screen from its beginning', async () => {
    const many = Array.from({ length: 40 }, (_, index) => definition({ name: `Source ${index}` }));
    const { find } = mountWidget({
      ...longForm,
      'GET /integrations/definitions/sources': () => json({ definitions: many }),
    });
    const source = await find('[part="source"]');
    const scroller = await find('.scroller');
    scroller.scrollTo(0, 200);
    expect(scroller.scrollTop).toBe(200);
    source.click();
    await find('form');
    expect(scroller.scrollTop).toBe(0);
  });

  test('does not inherit the rules for text of the page', async () => {
    const leaking = {
      'font-style': 'italic',
      'font-weight': '700',
      'letter-spacing': '9px',
      'line-height': '60px',
      'text-indent': '40px',
      'text-shadow': 'rgb(255, 0, 0) 1px 1px 0px',
      'text-transform': 'uppercase',
      'white-space': 'pre',
      'word-spacing': '30px',
    };
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `connector-auth { ${Object.entries(leaking)
        .map(entry => entry.join(':'))
        .join(';')} }`,
    );
    document.adoptedStyleSheets.push(sheet);
    onTestFinished(() => {
      document.adoptedStyleSheets.pop();
    });
    const { find, widget } = mountWidget();
    const style = getComputedStyle(await find('.lead'));
    for (const [name, value] of Object.entries(leaking)) {
      expect(getComputedStyle(widget).getPropertyValue(name), name).toBe(value);
      expect(style.getPropertyValue(name), name).not.toBe(value);
    }
  });

  test('shows the focus of a field on its edge', async () => {
    const harness = mountWidget();
    const field = await openForm(harness);
    await userEvent.click(field);
    await until(() => {
      expect(getComputedStyle(field).outlineOffset).toBe('-1px');
    });
    expect(getComputedStyle(field).outlineStyle).toBe('solid');
  });

  test('clamps a long name to three lines and keeps the whole text', async () => {
    const name = 'Long name '.repeat(30).trim();
    const source = definition({ name });
    const harness = mountWidget({
      [listRoute]: () => json({ definitions: [source] }),
      [`${listRoute}/*`]: () => json(detail(source)),
    });
    (await harness.find('[part="source"]')).click();
    await harness.find(keyField);
    const title = await harness.find('h2');
    const { lineHeight } = getComputedStyle(title);
    expect(title.clientHeight).toBeLessThan(parseFloat(lineHeight) * 3.5);
    expect(title.scrollHeight).toBeGreaterThan(parseFloat(lineHeight) * 4);
    expect(title.textContent).toContain(name);
  });
});

test('moves new screens in the direction of travel', async () => {
  const harness = mountWidget(withMine(connector({ id: 'mine' })));
  const travel = async () =>
    getComputedStyle(await harness.find('.panel'))
      .getPropertyValue('--_travel')
      .trim();
  (await harness.find('[data-id="mine"]')).click();
  await harness.find('.back');
  expect(await travel()).toBe('12px');
  (await harness.find('.back')).click();
  await harness.find('[data-id="mine"]');
  expect(await travel()).toBe('-12px');
});

/** Ends the animations over time. The line above the footer follows the scroll position instead. */
function finishAnimations({ widget }: Harness): void {
  for (const animation of widget.shadowRoot?.getAnimations() ?? []) {
    if (animation.timeline instanceof DocumentTimeline) animation.cancel();
  }
}

import { describe, expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { createRoute, keyField, listRoute, openForm, secret, withSearch } from '../test/actions.ts';
import { focused, mountWidget, useTokenUrl, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';

/** Mounts a widget as a dialog, together with a button that opens it. */
function mountDialog(): { harness: Harness; opener: HTMLButtonElement } {
  const opener = document.createElement('button');
  opener.textContent = 'Connections';
  document.body.append(opener);
  onTestFinished(() => {
    opener.remove();
  });
  const harness = mountWidget(withSearch, (widget, service) => {
    useTokenUrl(widget, service);
    widget.modal = true;
    opener.addEventListener('click', () => {
      widget.open();
    });
  });
  return { harness, opener };
}

describe('dialog', () => {
  test('shows nothing and sends no request before the dialog is opened', async () => {
    const { harness } = mountDialog();
    await harness.widget.updateComplete;
    expect(harness.service.requests).toEqual([]);
    expect(harness.widget.getBoundingClientRect().height).toBe(0);
    expect(harness.widget.shadowRoot?.querySelector('dialog')?.open).toBe(false);
  });

  test('focuses the search field when the dialog opens', async () => {
    const { harness, opener } = mountDialog();
    await userEvent.click(opener);
    await harness.find('[data-id]');
    await until(() => {
      expect(focused()?.getAttribute('type')).toBe('search');
    });
    expect(harness.widget.shadowRoot?.querySelector('dialog')?.matches(':modal')).toBe(true);
  });

  test.each([
    ['the close button', async ({ find }: Harness) => userEvent.click(await find('[part="close-button"]'))],
    ['Escape', () => userEvent.keyboard('{Escape}')],
    [
      'close()',
      ({ widget }: Harness) => {
        widget.close();
      },
    ],
    [
      'removing the element',
      ({ widget }: Harness) => {
        widget.remove();
      },
    ],
    [
      'the Done button',
      async (harness: Harness) => {
        await userEvent.fill(await openForm(harness), secret);
        await userEvent.keyboard('{Enter}');
        await userEvent.click(await harness.find('.success ~ .footer .primary'));
      },
    ],
  ] as const)('returns the focus and sends an event when it is closed by %s', async (_what, close) => {
    const { harness, opener } = mountDialog();
    await userEvent.click(opener);
    await harness.find('[data-id]');
    const closed = harness.nextEvent('connector-auth-close');
    await close(harness);
    await closed;
    expect(focused()).toBe(opener);
    expect(harness.widget.shadowRoot?.querySelector('dialog')?.open).toBe(false);
  });

  test('has dialog styles from the first render', async () => {
    const harness = mountWidget({}, (widget, service) => {
      widget.modal = true;
      useTokenUrl(widget, service);
    });
    await harness.widget.updateComplete;
    expect(getComputedStyle(harness.widget).display).toBe('contents');
    harness.widget.open();
    expect(getComputedStyle(await harness.find('dialog')).padding).toBe('0px');
    expect(getComputedStyle(await harness.find('.close')).position).toBe('absolute');
  });

  test('clears the search on the first Escape without closing the dialog', async () => {
    const { harness, opener } = mountDialog();
    await userEvent.click(opener);
    await userEvent.fill(await harness.find('input'), 'go');
    await userEvent.keyboard('{Escape}');
    expect(harness.widget.shadowRoot?.querySelector('dialog')?.open).toBe(true);
    expect(harness.widget.shadowRoot?.querySelector('input')?.value).toBe('');
  });

  test('keeps focus in the dialog and reaches the close button again with Tab', async () => {
    const { harness, opener } = mountDialog();
    await userEvent.click(opener);
    await harness.find('[data-id]');
    const parts: (string | null | undefined)[] = [];
    do {
      await userEvent.keyboard('{Tab}');
      parts.push(focused()?.getAttribute('part'));
    } while (parts.at(-1) !== 'close-button' && parts.length < 12);
    // Firefox stops at the panel, too, because it scrolls.
    const panel = await harness.find('.scroller');
    do await userEvent.keyboard('{Tab}');
    while (focused() === panel);
    expect([...parts, focused()?.getAttribute('part')]).toEqual(['source', 'close-button', 'search-input']);
  });

  test('reloads the catalog when the dialog is opened again', async () => {
    const { harness, opener } = mountDialog();
    await userEvent.click(opener);
    await openForm(harness);
    harness.widget.close();
    await userEvent.click(opener);
    await harness.find('[data-id]');
    expect(harness.service.requestsTo(listRoute)).toHaveLength(2);
  });
});

describe('focus trap of the host page', () => {
  /** Creates a focus trap that moves the focus back inside and closes on Escape. */
  function trap(inside: HTMLElement): { closed: () => number } {
    let closed = 0;
    const ending = new AbortController();
    const { signal } = ending;
    onTestFinished(() => {
      ending.abort();
      inside.remove();
    });
    document.addEventListener(
      'focusin',
      ({ target }) => {
        if (target instanceof Node && !inside.contains(target)) inside.querySelector('button')?.focus();
      },
      { signal },
    );
    document.addEventListener(
      'keydown',
      ({ key }) => {
        if (key === 'Escape') closed++;
      },
      { signal },
    );
    return { closed: () => closed };
  }

  function hostModal(): HTMLElement {
    const inside = document.createElement('div');
    inside.setAttribute('role', 'dialog');
    inside.append(document.createElement('button'));
    document.body.append(inside);
    return inside;
  }

  test('lets users type and submit in a widget inside a focus trap', async () => {
    const inside = hostModal();
    trap(inside);
    const harness = mountWidget();
    inside.append(harness.widget);
    await userEvent.click(await harness.find('[data-id="def-granola"]'));
    await userEvent.click(await harness.find(keyField));
    await userEvent.keyboard(`${secret}{Enter}`);
    await harness.find('.icon-circle.good');
    const [sent] = harness.service.requestsTo(createRoute);
    expect(await sent?.json()).toMatchObject({ credentials: { api_key: secret } });
  });

  test('lets users type and submit in a dialog above a focus trap without closing the trap', async () => {
    const inside = hostModal();
    const { closed } = trap(inside);
    const { harness } = mountDialog();
    inside.querySelector('button')?.focus();
    harness.widget.open();
    await userEvent.click(await harness.find('[data-id="def-granola"]'));
    await userEvent.click(await harness.find(keyField));
    await userEvent.keyboard(secret);
    expect((focused() as HTMLInputElement).value).toBe(secret);
    await userEvent.keyboard('{Enter}');
    await harness.find('.icon-circle.good');
    await userEvent.keyboard('{Escape}');
    expect(closed()).toBe(0);
    expect(inside.contains(focused())).toBe(true);
  });
});

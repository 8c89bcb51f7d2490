import { describe, expect, it, onTestFinished } from 'vitest';
import { userEvent } from 'vitest/browser';
import { keyField, listRoute, openForm, secret } from '../test/actions.ts';
import { focused, stage, useTokenUrl, type Stage } from '../test/harness.ts';
import { until } from '../test/until.ts';

/** A widget in a dialog, and the button that opens it. */
function stageDialog(): { staged: Stage; opener: HTMLButtonElement } {
  const opener = document.createElement('button');
  opener.textContent = 'Connections';
  document.body.append(opener);
  onTestFinished(() => {
    opener.remove();
  });
  const staged = stage({}, (widget, service) => {
    useTokenUrl(widget, service);
    widget.modal = true;
    opener.addEventListener('click', () => {
      widget.open();
    });
  });
  return { staged, opener };
}

describe('the dialog', () => {
  it('shows and asks nothing before it is opened', async () => {
    const { staged } = stageDialog();
    await staged.widget.updateComplete;
    expect(staged.service.requests).toEqual([]);
    expect(staged.widget.getBoundingClientRect().height).toBe(0);
    expect(staged.widget.shadowRoot?.querySelector('dialog')?.open).toBe(false);
  });

  it('takes the focus to the search once it is there', async () => {
    const { staged, opener } = stageDialog();
    await userEvent.click(opener);
    await staged.find('[data-id]');
    await until(() => {
      expect(focused()?.getAttribute('type')).toBe('search');
    });
    expect(staged.widget.shadowRoot?.querySelector('dialog')?.matches(':modal')).toBe(true);
  });

  it.each([
    ['its button', async ({ find }: Stage) => userEvent.click(await find('[part="close-button"]'))],
    ['Escape', () => userEvent.keyboard('{Escape}')],
    [
      'the page',
      ({ widget }: Stage) => {
        widget.close();
      },
    ],
    [
      'taking the widget away',
      ({ widget }: Stage) => {
        widget.remove();
      },
    ],
    [
      'being done',
      async (staged: Stage) => {
        await userEvent.fill(await openForm(staged), secret);
        await userEvent.keyboard('{Enter}');
        await userEvent.click(await staged.find('.medal.good ~ .actions .button'));
      },
    ],
  ] as const)('gives the focus back and says so when it is closed by %s', async (_what, close) => {
    const { staged, opener } = stageDialog();
    await userEvent.click(opener);
    await staged.find('[data-id]');
    const closed = staged.nextEvent('connector-auth-close');
    await close(staged);
    await closed;
    expect(focused()).toBe(opener);
    expect(staged.widget.shadowRoot?.querySelector('dialog')?.open).toBe(false);
  });

  it('looks like one from the start', async () => {
    const staged = stage({}, (widget, service) => {
      widget.modal = true;
      useTokenUrl(widget, service);
    });
    await staged.widget.updateComplete;
    expect(getComputedStyle(staged.widget).display).toBe('contents');
    staged.widget.open();
    expect(getComputedStyle(await staged.find('dialog')).padding).toBe('0px');
    expect(getComputedStyle(await staged.find('.close')).position).toBe('absolute');
  });

  it('clears the search before Escape closes it', async () => {
    const { staged, opener } = stageDialog();
    await userEvent.click(opener);
    await userEvent.fill(await staged.find('input'), 'go');
    await userEvent.keyboard('{Escape}');
    expect(staged.widget.shadowRoot?.querySelector('dialog')?.open).toBe(true);
    expect(staged.widget.shadowRoot?.querySelector('input')?.value).toBe('');
  });

  it('begins anew when it is opened again', async () => {
    const { staged, opener } = stageDialog();
    await userEvent.click(opener);
    await openForm(staged);
    staged.widget.close();
    await userEvent.click(opener);
    await staged.find('[data-id]');
    expect(staged.service.asked(listRoute)).toHaveLength(2);
  });
});

describe("a host's own modal with a focus trap", () => {
  /** As such traps work: whatever gets the focus outside loses it again, Escape closes. */
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

  it('lets a person type and submit in a widget inside it', async () => {
    const inside = hostModal();
    trap(inside);
    const staged = stage();
    inside.append(staged.widget);
    await userEvent.click(await staged.find('[data-id="def-granola"]'));
    await userEvent.click(await staged.find(keyField));
    await userEvent.keyboard(`${secret}{Enter}`);
    await staged.find('.medal.good');
  });

  it('lets a person type and submit in a dialog above it, and stays open below it', async () => {
    const inside = hostModal();
    const { closed } = trap(inside);
    const { staged } = stageDialog();
    inside.querySelector('button')?.focus();
    staged.widget.open();
    await userEvent.click(await staged.find('[data-id="def-granola"]'));
    await userEvent.click(await staged.find(keyField));
    await userEvent.keyboard(secret);
    expect((focused() as HTMLInputElement).value).toBe(secret);
    await userEvent.keyboard('{Enter}');
    await staged.find('.medal.good');
    await userEvent.keyboard('{Escape}');
    expect(closed()).toBe(0);
    expect(inside.contains(focused())).toBe(true);
  });
});

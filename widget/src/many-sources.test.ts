import { describe, expect, onTestFinished, test } from 'vitest';
import { server, userEvent } from 'vitest/browser';
import { definition, json, sources } from '../gallery/fake-service.ts';
import { listRoute } from '../test/actions.ts';
import { focused, mountWidget, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';

/** As many as any page can need in `pnpm test:full`. Fewer otherwise, because it takes most of the time to create them. */
const count = server.config.env['TEST_FULL'] === undefined ? 2000 : 10_000;
const many = Array.from({ length: count }, (_, index) =>
  definition({ name: `Source ${index}`, sourceDefinitionId: `def-${index}`, iconUrl: '' }),
);

const mountMany = () => mountWidget({ [listRoute]: () => json({ definitions: [...many, sources[0]] }) });
const renderedRows = ({ widget }: Harness) => widget.shadowRoot?.querySelectorAll('.row').length ?? 0;
/** Returns the highest position of a rendered row. */
const furthest = ({ widget }: Harness) =>
  Math.max(
    ...[...(widget.shadowRoot?.querySelectorAll('[aria-posinset]') ?? [])].map(row =>
      Number(row.ariaPosInSet),
    ),
  );

describe('thousands of sources', () => {
  test('renders rows only where the user has scrolled', async () => {
    const harness = mountMany();
    await harness.find('[data-id="def-0"]');
    const panel = await harness.find('.scroller');
    for (const share of [0.3, 0.9, 0.5, 0.1]) {
      panel.scrollTo(0, panel.scrollHeight * share);
      // Several points are checked, because one may be in the gap between two rows.
      const { top, left, width } = panel.getBoundingClientRect();
      await until(() => {
        const seen = [90, 110, 130].map(above =>
          harness.widget.shadowRoot
            ?.elementFromPoint(left + width / 4, top + panel.clientHeight - above)
            ?.closest('.row'),
        );
        expect(seen.some(Boolean)).toBe(true);
      });
      expect(renderedRows(harness)).toBeLessThan(250);
      // A keystroke takes longer the more elements there are.
      expect(harness.widget.shadowRoot?.querySelectorAll('.rows').length).toBeLessThan(200);
    }
  });

  test('gives each row its position in the whole list', async () => {
    const harness = mountMany();
    const item = (await harness.find('[data-id="def-3"]')).closest('[role="listitem"]');
    expect(item?.getAttribute('aria-posinset')).toBe('4');
    expect(item?.getAttribute('aria-setsize')).toBe(String(count + 1));
  });

  test('moves with the arrow keys to rows that were not rendered initially, and with End to the last row', async () => {
    const harness = mountMany();
    (await harness.find('[data-id="def-0"]')).focus();
    for (let at = 1; at <= 24; at++) {
      await userEvent.keyboard('{ArrowDown}');
      await until(() => {
        expect(focused()?.getAttribute('data-id')).toBe(`def-${at}`);
      });
    }
    await userEvent.keyboard('{End}');
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('def-granola');
    });
  });

  test('returns to the row of the source that was opened', async () => {
    const harness = mountMany();
    (await harness.find('[data-id="def-0"]')).focus();
    await userEvent.keyboard('{End}');
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('def-granola');
    });
    await userEvent.keyboard('{Enter}');
    await userEvent.click(await harness.find('.back'));
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('def-granola');
    });
  });

  test('keeps focus on its row however far the user scrolls', async () => {
    const harness = mountMany();
    const row = await harness.find('[data-id="def-9"]');
    row.focus();
    const panel = await harness.find('.scroller');
    for (const share of [0.5, 0.9]) {
      panel.scrollTo(0, panel.scrollHeight * share);
      await until(() => {
        expect(furthest(harness)).toBeGreaterThan(count * (share - 0.1));
      });
      expect(focused()).toBe(row);
    }
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()?.getAttribute('data-id')).toBe('def-10');
  });

  test('leaves the list with one Tab and returns to the row that had focus', async () => {
    const harness = mountMany();
    const input = await harness.find('input');
    await harness.find('[data-id="def-0"]');
    // Without another element, focus would leave the page, from which it does not come back in Firefox.
    const after = document.createElement('button');
    harness.widget.after(after);
    onTestFinished(() => {
      after.remove();
    });
    input.focus();
    await userEvent.keyboard('{Tab}{ArrowDown}{ArrowDown}');
    expect(focused()?.getAttribute('data-id')).toBe('def-2');
    await userEvent.keyboard('{Tab}');
    expect(harness.widget.shadowRoot?.activeElement).toBeNull();
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    expect(focused()?.getAttribute('data-id')).toBe('def-2');
    await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
    expect(focused()).toBe(input);
  });

  test('keeps the row that Tab reaches rendered however far the user scrolls', async () => {
    const harness = mountMany();
    (await harness.find('[data-id="def-9"]')).focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('def-13');
    });
    (await harness.find('input')).focus();
    const panel = await harness.find('.scroller');
    panel.scrollTo(0, panel.scrollHeight * 0.9);
    await until(() => {
      expect(furthest(harness)).toBeGreaterThan(1000);
    });
    await userEvent.keyboard('{Tab}');
    expect(focused()?.getAttribute('data-id')).toBe('def-13');
  });

  test('continues the search with a character that is typed on a row, and starts at the first row again', async () => {
    const harness = mountMany();
    const row = await harness.find('[data-id="def-3"]');
    row.focus();
    await userEvent.keyboard('42');
    const input = (await harness.find('input')) as HTMLInputElement;
    expect(focused()).toBe(input);
    expect(input.value).toBe('42');
    await userEvent.keyboard('{ArrowDown}');
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('def-42');
    });
    await userEvent.keyboard('{Home}{ArrowUp}');
    expect(focused()).toBe(input);
  });

  test('filters all sources down to one', async () => {
    const harness = mountMany();
    await userEvent.fill(await harness.find('input'), 'source 1987');
    await until(() => {
      expect(renderedRows(harness)).toBe(1);
    });
  });
});

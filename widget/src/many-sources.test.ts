import { describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { definition, json, sources } from '../gallery/fake-service.ts';
import { listRoute } from '../test/actions.ts';
import { focused, mountWidget, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';

const count = 10_000;
/** Frames are rare on a busy machine. */
const many = Array.from({ length: count }, (_, index) =>
  definition({ name: `Source ${index}`, sourceDefinitionId: `def-${index}`, iconUrl: '' }),
);

const mountMany = () => mountWidget({ [listRoute]: () => json({ definitions: [...many, sources[0]] }) });
const drawn = ({ widget }: Harness) => widget.shadowRoot?.querySelectorAll('.row').length ?? 0;

describe('ten thousand sources', { timeout: 30_000 }, () => {
  it('have rows only where one looks, wherever that is', async () => {
    const harness = mountMany();
    await harness.find('[data-id="def-0"]');
    const panel = await harness.find('.panel');
    for (const share of [0.3, 0.9, 0.5, 0.1]) {
      panel.scrollTo(0, panel.scrollHeight * share);
      // Several places: one of them may be the gap between two rows.
      const { top, left, width } = panel.getBoundingClientRect();
      await until(() => {
        const seen = [90, 110, 130].map(above =>
          harness.widget.shadowRoot
            ?.elementFromPoint(left + width / 4, top + panel.clientHeight - above)
            ?.closest('.row'),
        );
        expect(seen.some(Boolean)).toBe(true);
      });
      expect(drawn(harness)).toBeLessThan(250);
    }
  });

  it('tell their place among all', async () => {
    const harness = mountMany();
    const item = (await harness.find('[data-id="def-3"]')).closest('[role="listitem"]');
    expect(item?.getAttribute('aria-posinset')).toBe('4');
    expect(item?.getAttribute('aria-setsize')).toBe(String(count + 1));
  });

  it('are walked through by arrow keys, beyond the rows that are drawn at first, and End is the last one', async () => {
    const harness = mountMany();
    (await harness.find('[data-id="def-0"]')).focus();
    for (let at = 1; at <= 40; at++) {
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

  it('are come back to at the one that was opened', async () => {
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

  it('keep the focus on the row that has it, however far one scrolls', async () => {
    const harness = mountMany();
    const row = await harness.find('[data-id="def-9"]');
    row.focus();
    const panel = await harness.find('.panel');
    panel.scrollTo(0, panel.scrollHeight * 0.5);
    await until(() => {
      expect(drawn(harness)).toBeGreaterThan(20);
    });
    panel.scrollTo(0, panel.scrollHeight * 0.9);
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(focused()).toBe(row);
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()?.getAttribute('data-id')).toBe('def-10');
  });

  it('are narrowed by a search to the one that is meant', async () => {
    const harness = mountMany();
    await userEvent.fill(await harness.find('input'), 'source 9876');
    await until(() => {
      expect(drawn(harness)).toBe(1);
    });
  });
});

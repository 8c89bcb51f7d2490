import axe from 'axe-core';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PretendService } from '../gallery/pretend-service.ts';
import { scenes, setScene } from '../gallery/scenes.ts';
import './index.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** What axe found, in lines one can act on. */
async function findings(element: Element): Promise<readonly string[]> {
  const { violations } = await axe.run(element, {
    resultTypes: ['violations'],
    // Belongs to the page around the widget.
    rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help} at ${JSON.stringify(target)}: ${failureSummary}`,
    ),
  );
}

describe.each(['light', 'dark'])('in the %s theme', theme => {
  it.each(scenes.map(scene => [scene.name, scene] as const))(
    '%s has nothing axe objects to',
    async (_name, scene) => {
      // One scene is a mistake in the set-up, which is logged.
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const service = new PretendService(scene.routes);
      onTestFinished(() => {
        service.close();
      });
      document.body.style.background = theme === 'dark' ? '#0c0d10' : '#fff';
      const widget = await setScene(
        { ...scene, attributes: { ...scene.attributes, theme } },
        document.body,
        service,
      );
      // Colours are measured where they end, not on their way there.
      for (const animation of widget.shadowRoot?.getAnimations() ?? []) animation.cancel();
      expect(await findings(widget)).toEqual([]);
    },
  );
});

it('would see a text that is too pale', async () => {
  const service = new PretendService();
  onTestFinished(() => {
    service.close();
  });
  const [catalog] = scenes;
  if (catalog === undefined) throw new Error('No scene');
  const widget = await setScene(catalog, document.body, service);
  widget.style.setProperty('--connector-auth-muted', '#ccc');
  for (const animation of widget.shadowRoot?.getAnimations() ?? []) animation.cancel();
  expect((await findings(widget)).join()).toContain('color-contrast');
});

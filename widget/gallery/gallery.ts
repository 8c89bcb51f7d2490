/**
 * Shows every state of the widget on one page, rendered by the real element with a fake service. The query
 * selects states and settings: `?theme=dark&lang=ar&width=280px&scene=form` (`scene` can repeat). `&bare`
 * hides the controls.
 */
import '../src/index.ts';
import { FakeService } from './fake-service.ts';
import { scenes, setScene } from './scenes.ts';

const query = new URLSearchParams(location.search);
const root = document.documentElement;
root.dataset['theme'] = query.get('theme') ?? 'light';
root.lang = query.get('lang') ?? 'en';
document.body.classList.toggle('bare', query.has('bare'));
document.body.style.setProperty('--width', query.get('width') ?? '420px');
offerChoices();

const wanted = query.getAll('scene').filter(name => name !== '');
for (const scene of scenes) {
  if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
  const figure = document.createElement('section');
  figure.dataset['scene'] = scene.name;
  const heading = document.createElement('h2');
  heading.textContent = scene.name;
  figure.append(heading);
  document.querySelector('main')?.append(figure);
  await setScene(scene, figure, new FakeService(scene.routes));
}
root.dataset['ready'] = '';

/** Fills the controls. Changing a control reloads the page with the selected value. */
function offerChoices(): void {
  const choices: Readonly<Record<string, readonly string[]>> = {
    theme: ['light', 'dark'],
    lang: ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh', 'ar'],
    width: ['420px', '280px', '320px', '680px', '100%'],
    scene: ['', ...scenes.map(({ name }) => name)],
  };
  for (const select of document.querySelectorAll('select')) {
    const options = choices[select.name] ?? [];
    const chosen = query.get(select.name);
    select.append(...options.map(value => new Option(value || 'all', value, false, value === chosen)));
    select.addEventListener('change', () => select.form?.submit());
  }
}

/**
 * Every state of the widget on one page, each drawn by the real element over a pretended network.
 * `?scene=form` shows one (several: repeat it), `?theme=dark` the other theme, `?dir=rtl` the other direction,
 * `?width=280px` another width.
 */
import '../src/index.ts';
import { PretendService } from './pretend-service.ts';
import { scenes, setScene } from './scenes.ts';

const query = new URLSearchParams(location.search);
document.documentElement.dataset['theme'] = query.get('theme') ?? 'light';
document.documentElement.dir = query.get('dir') ?? 'ltr';
document.body.style.setProperty('--width', query.get('width') ?? '420px');

const wanted = query.getAll('scene');

for (const scene of scenes) {
  if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
  const figure = document.createElement('section');
  const heading = document.createElement('h2');
  heading.textContent = scene.name;
  figure.append(heading);
  document.body.append(figure);
  await setScene(scene, figure, new PretendService(scene.routes));
}
document.documentElement.dataset['ready'] = '';

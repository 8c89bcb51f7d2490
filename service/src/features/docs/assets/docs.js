// Search, copy buttons, the choice of a language for samples, and the theme. Pages are complete without it.
// It runs before the page is shown, so that the chosen theme does not flash.

/** @typedef {import('./search.js').IndexEntry} IndexEntry */

const themeKey = 'connector-auth-docs-theme';
const languageKey = 'connector-auth-docs-language';
const root = document.documentElement;

/** Storage can be blocked; choices then last as long as the page. */
function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {}
}

function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

const chosenTheme = recall(themeKey);
if (chosenTheme !== null) root.dataset.theme = chosenTheme;

document.addEventListener('DOMContentLoaded', () => {
  setUpTheme();
  for (const group of document.querySelectorAll('.samples')) setUpSamples(group);
  showLanguage(recall(languageKey) ?? 'sh');
  setUpNavigation();
  setUpSearch();
  openTarget();
});
addEventListener('hashchange', openTarget);

function announce(text) {
  document.querySelector('#announcer').textContent = text;
}

function element(name, members, ...children) {
  const created = Object.assign(document.createElement(name), members);
  created.append(...children);
  return created;
}

/** Opens the details that contain the target of the address. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target?.closest('details');
  if (!details || details.open) return;
  details.open = true;
  target.scrollIntoView();
}

// Theme

function setUpTheme() {
  const button = document.querySelector('[data-action="theme"]');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);
  const update = () =>
    button.setAttribute('aria-label', isDark() ? 'Use the light theme' : 'Use the dark theme');
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember(themeKey, root.dataset.theme);
    update();
  });
  system.addEventListener('change', update);
  button.hidden = false;
  update();
}

// Samples

function setUpSamples(group) {
  const figures = [...group.querySelectorAll('figure')];
  const copy = element('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  const shown = () => figures.find(figure => !figure.hidden) ?? figures[0];
  copy.setAttribute('aria-label', `Copy ${group.getAttribute('aria-label')}`);
  copy.addEventListener('click', async () => {
    const isCopied = await copyText(shown().querySelector('code').textContent);
    copy.textContent = isCopied ? 'Copied' : 'Press Ctrl C';
    announce(copy.textContent);
    setTimeout(() => (copy.textContent = 'Copy'), 2000);
  });
  if (figures.length === 1) {
    figures[0].querySelector('figcaption').append(copy);
    return;
  }
  const list = element('div', {}, ...figures.map(tabOf));
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', group.getAttribute('aria-label'));
  list.addEventListener('keydown', moveBetweenTabs);
  group.prepend(element('div', { className: 'tabs' }, list, copy));
}

let tabCount = 0;

/** Makes a figure the panel of a tab. */
function tabOf(figure) {
  const caption = figure.querySelector('figcaption');
  const tab = element('button', {
    type: 'button',
    id: `tab-${++tabCount}`,
    textContent: caption.textContent,
  });
  caption.remove();
  figure.id = `panel-${tabCount}`;
  figure.setAttribute('role', 'tabpanel');
  figure.setAttribute('aria-labelledby', tab.id);
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', figure.id);
  tab.dataset.language = figure.dataset.language;
  tab.addEventListener('click', () => {
    const { top } = tab.getBoundingClientRect();
    remember(languageKey, tab.dataset.language);
    showLanguage(tab.dataset.language);
    // Samples above the tab can have a different height now.
    scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' });
  });
  return tab;
}

function moveBetweenTabs(event) {
  const tabs = [...event.currentTarget.children];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
}

/** Shows the samples in this language; a sample without it shows its first language. */
function showLanguage(language) {
  for (const list of document.querySelectorAll('.samples [role="tablist"]')) {
    const tabs = [...list.children];
    const chosen = tabs.find(tab => tab.dataset.language === language) ?? tabs[0];
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen;
    }
  }
}

/** Pages that are not on https or localhost have no clipboard. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Navigation

function setUpNavigation() {
  const navigation = document.querySelector('#navigation');
  navigation.addEventListener('click', event => {
    if (event.target.closest('a') && navigation.matches(':popover-open')) navigation.hidePopover();
  });
  const current = navigation.querySelector('[aria-current]');
  if (current && current.offsetTop > navigation.clientHeight - 80)
    navigation.scrollTop = current.offsetTop - 120;
}

// Search

function setUpSearch() {
  const dialog = document.querySelector('#search-dialog');
  const input = dialog.querySelector('input');
  const list = dialog.querySelector('#search-results');
  const button = document.querySelector('[data-action="search"]');
  /** @type {Promise<(query: string) => IndexEntry[]> | null} */
  let index = null;
  let selected = -1;

  const load = async () => {
    const [{ findEntries }, response] = await Promise.all([
      import('./search.js'),
      fetch('/docs/search-index.json'),
    ]);
    const entries = await response.json();
    return query => findEntries(entries, query);
  };
  const open = () => {
    index ??= load();
    if (!dialog.open) dialog.showModal();
    input.select();
  };
  const select = position => {
    const options = [...list.children];
    if (options.length === 0) return;
    selected = (position + options.length) % options.length;
    options.forEach((option, at) => option.setAttribute('aria-selected', String(at === selected)));
    options[selected].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[selected].id);
  };
  const visit = option => {
    if (!option) return;
    dialog.close();
    location.assign(option.dataset.url);
  };
  const update = async () => {
    const query = input.value;
    const find = await index;
    // A later key was pressed while the index was loading.
    if (query !== input.value) return;
    const found = find(query);
    list.replaceChildren(...found.map(resultOption));
    input.setAttribute('aria-expanded', String(found.length > 0));
    input.removeAttribute('aria-activedescendant');
    selected = -1;
    if (found.length > 0) select(0);
    if (query.trim() !== '') announceResults(found.length);
  };
  const announceResults = count => {
    const text = count === 0 ? 'No results' : count === 1 ? '1 result' : `${count} results`;
    // Inside the dialog, because everything outside it is inert.
    status.textContent = text;
  };
  const status = element('p', { className: 'visually-hidden' });
  status.setAttribute('role', 'status');
  dialog.append(status);

  input.addEventListener('input', () => void update());
  input.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown') select(selected + 1);
    else if (event.key === 'ArrowUp') select(selected - 1);
    else if (event.key === 'Escape') dialog.close();
    else if (event.key === 'Enter') visit(list.children[selected]);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', event => visit(event.target.closest('li')));
  // A click beside the dialog's content is on the dialog itself.
  dialog.addEventListener('click', event => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener('keydown', event => {
    const isTyping = event.target.closest('input, textarea, select, [contenteditable]') !== null;
    const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isShortcut && (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey))
      return;
    event.preventDefault();
    open();
  });
  button.addEventListener('click', open);
  button.hidden = false;
}

/** @param {IndexEntry} entry */
function resultOption([type, name, page, url], at) {
  const option = element(
    'li',
    { id: `result-${at}` },
    element('span', { className: 'found', textContent: name }),
    element('span', { className: 'kind', textContent: type }),
    element('span', { className: 'where', textContent: page }),
  );
  option.dataset.url = url;
  option.setAttribute('role', 'option');
  return option;
}

import type { ElementDeclaration } from './manifest.ts';
import { values } from './styling.ts';

/** Completion for HTML in VS Code: the setting `html.customData` takes it. */
export function htmlData(element: ElementDeclaration): object {
  return {
    version: 1.1,
    tags: [
      {
        name: element.tagName,
        description: element.description,
        attributes: element.attributes.map(({ name, description }) => ({
          name,
          description,
          ...(values[name] ? { values: values[name].map(value => ({ name: value })) } : {}),
        })),
      },
    ],
  };
}

/** Completion for CSS in VS Code: the setting `css.customData` takes it. */
export function cssData(element: ElementDeclaration): object {
  return {
    version: 1.1,
    properties: element.cssProperties.map(({ name, description }) => ({ name, description })),
    pseudoElements: element.cssParts.map(({ name, description }) => ({
      name: `::part(${name})`,
      description,
    })),
  };
}

/** Completion for the editors of JetBrains, which find it through package.json. */
export function webTypes(
  element: ElementDeclaration,
  { name, version }: { name: string; version: string },
): object {
  const pick = (list: readonly { readonly name: string; readonly description?: string }[]) =>
    list.map(({ name, description }) => ({ name, description }));
  return {
    $schema: 'https://json.schemastore.org/web-types',
    name,
    version,
    'description-markup': 'markdown',
    contributions: {
      html: {
        elements: [
          {
            name: element.tagName,
            description: element.description,
            attributes: element.attributes.map(({ name, description, type }) => ({
              name,
              description,
              value: { type: values[name]?.map(value => `'${value}'`).join(' | ') ?? type?.text },
            })),
            slots: pick(element.slots),
            js: {
              properties: pick(element.members.filter(({ kind }) => kind === 'field')),
              events: pick(element.events),
            },
            css: { properties: pick(element.cssProperties), parts: pick(element.cssParts) },
          },
        ],
      },
    },
  };
}

// The committed documentation of commands is what their specs say; `npm run docs` writes it.

import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderCommandDocs } from '../../../src/commands/docs.ts';
import { Registry } from '../../../src/commands/registry.ts';

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
const registry = new Registry();
const pages = renderCommandDocs(registry);

for (const [path, text] of pages) {
  test(`docs/${path} is up to date`, async () => {
    await expect(text).toMatchFileSnapshot(docs + path);
  });
}

test('no page is left of a group that is gone', () => {
  const committed = existsSync(`${docs}commands`) ? readdirSync(`${docs}commands`) : [];
  expect(committed.filter((file) => !pages.has(`commands/${file}`))).toEqual([]);
});

test('every command is told about once', () => {
  const titles = [...pages].flatMap(([path, text]) =>
    path.startsWith('commands/') ? [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title) : [],
  );
  const commands = [...registry.commands.values()].flatMap((each) => [
    each,
    ...(each.spec.subcommands ?? []),
  ]);
  const names = commands.map(({ name }) => name.toUpperCase().replace('|', ' '));
  expect(titles.sort()).toEqual(names.sort());
});

// The committed documentation is what the table says; `npx vitest run -u` on this file writes it.

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderConfigurationDocs } from '../../../src/config/docs.ts';
import { optionNames, optionOf } from '../../../src/config/options.ts';

test('docs/configuration.md is up to date', async () => {
  const path = fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url));
  await expect(renderConfigurationDocs()).toMatchFileSnapshot(path);
});

test('every option says in one sentence what it means', () => {
  const wrong = optionNames.filter((name) => !/^[A-Z`].*\.$/.test(optionOf(name).summary));
  expect(wrong).toEqual([]);
});

test('an option that is not provided or refused turns something down, but not its default', () => {
  for (const name of optionNames) {
    const { status, rejects, default: value } = optionOf(name);
    if (status === 'not provided' || status === 'refused') expect(rejects, name).toBeDefined();
    expect(rejects?.(value), name).toBeUndefined();
  }
});

// The version of this package, from its package.json, which lies two folders up in the sources, in dist and when installed.

import { readFileSync } from 'node:fs';

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

export const HOLDFAST_VERSION = manifest.version;

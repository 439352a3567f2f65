// This package's version, from its package.json: beside the folder this file is in, whether built or not.

import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const VERSION = manifest.version;

#!/usr/bin/env -S node --single-threaded-gc
// The package's command. Everything it does is in server/program.ts.

import { runProgram } from './server/program.ts';

process.exitCode = await runProgram(process.argv.slice(2), process.env);

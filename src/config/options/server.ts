// Options: the process, its logs, what it measures, who may administer it, and what is Holdfast's own.

import { keyspaceEvents, oomScoreAdjValues, percentiles } from '../composite-kinds.ts';
import { fileLines, integer, memorySize, oneOf, shutdownFlags, text, wordList, yesNo } from '../kinds.ts';
import { IMMUTABLE, implemented, inert, notProvided, refused } from '../option.ts';

const INT_MAX = 2 ** 31 - 1;

const TITLE_VARIABLE = /\{(?:title|listen-addr|server-mode|port|tls-port|unixsocket|config-file)\}/g;

function titleTemplate(template: string): string | undefined {
  const rest = template.replaceAll(TITLE_VARIABLE, '');
  return template === '' || /[{}]/.test(rest)
    ? 'template format is invalid or contains unknown variables'
    : undefined;
}

function versionNumber(version: string): string | undefined {
  return /^\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(version) ? undefined : 'argument must be a version such as 8.4.0';
}

const STAYS_IN_FOREGROUND = 'Holdfast stays in the foreground; let a service manager or container run it';
const REPORTS_NO_READINESS = 'readiness is not reported; use Type=simple or Type=exec in the systemd unit';
const NOT_TO_SYSLOG = 'nothing is sent to syslog; the log goes to logfile or standard output';
const NO_RENAMING =
  'commands cannot be renamed or removed, and ignoring this could leave open what it was to close';
const NO_ACL =
  'ACL users are not supported yet, and ignoring them could let in more than they allow; use requirepass';
const SAVES_NOTHING = 'Holdfast has no snapshots to save yet';
const rejectSave = (flags: readonly string[]): string | undefined =>
  flags.includes('save') ? SAVES_NOTHING : undefined;

export const general = {
  include: implemented(
    fileLines,
    [],
    'Reads another file, or all that a pattern matches, at this place. A pattern may match none.',
    { fileOnly: true },
  ),
  databases: implemented(integer(1, 65536), 16, 'Number of databases for SELECT.', IMMUTABLE),
  daemonize: notProvided(yesNo, false, 'Go to the background.', {
    ...IMMUTABLE,
    rejects: (isOn) => (isOn ? STAYS_IN_FOREGROUND : undefined),
  }),
  supervised: notProvided(
    oneOf('upstart', 'systemd', 'auto', 'no'),
    'no',
    'How to tell a service manager that the server is ready. `auto` and `no` are accepted.',
    {
      ...IMMUTABLE,
      rejects: (mode) => (mode === 'systemd' || mode === 'upstart' ? REPORTS_NO_READINESS : undefined),
    },
  ),
  pidfile: implemented(text(), '', 'File to write the process id to; removed at exit.', IMMUTABLE),
  'always-show-logo': inert(yesNo, false, "Redis' ASCII art.", IMMUTABLE),
  'set-proc-title': inert(yesNo, true, 'Whether the process title is changed.', IMMUTABLE),
  'proc-title-template': inert(
    text(titleTemplate),
    '{title} {listen-addr} {server-mode}',
    'What the process title would say.',
  ),
  hz: inert(
    integer(0, INT_MAX),
    10,
    'How often Redis runs background work; here work is done when it is due.',
  ),
  'dynamic-hz': inert(yesNo, true, 'Lets Redis raise hz with many clients.'),
  'io-threads': inert(
    integer(1, 128),
    1,
    'Threads for input and output; one thread does everything here.',
    IMMUTABLE,
  ),
  'io-threads-do-reads': inert(yesNo, false, 'Lets those threads read.', IMMUTABLE),
  lookahead: inert(integer(1, INT_MAX), 16, 'How many pipelined commands Redis parses ahead.'),
  server_cpulist: inert(text(), '', 'Processors Redis runs on; use taskset or cgroups.', IMMUTABLE),
  bio_cpulist: inert(text(), '', 'Processors of background threads.', IMMUTABLE),
  aof_rewrite_cpulist: inert(text(), '', 'Processors of the append-only file rewrite.', IMMUTABLE),
  bgsave_cpulist: inert(text(), '', 'Processors of the snapshot process.', IMMUTABLE),
  'oom-score-adj': inert(
    oneOf('no', 'yes', 'relative', 'absolute'),
    'no',
    'Who the Linux out-of-memory killer takes first.',
  ),
  'oom-score-adj-values': inert(
    oomScoreAdjValues,
    [0, 200, 800],
    'Scores for main process, replicas and children.',
  ),
  'disable-thp': inert(yesNo, true, 'Turns transparent huge pages off for the process.', IMMUTABLE),
  'jemalloc-bg-thread': inert(yesNo, true, 'Background thread of an allocator that is not used here.'),
  'locale-collate': inert(text(), '', 'Locale for comparing strings in SORT.'),
  'ignore-warnings': inert(text(), '', 'Warnings of Redis about its machine not to act on.'),
  'shutdown-timeout': inert(integer(0, INT_MAX), 10, 'Seconds Redis waits for replicas at shutdown.'),
  'shutdown-on-sigint': inert(
    shutdownFlags,
    [],
    'What SIGINT does. Holdfast drains replies and exits; `save` is not provided.',
    {
      rejects: rejectSave,
    },
  ),
  'shutdown-on-sigterm': inert(
    shutdownFlags,
    [],
    'What SIGTERM does. Holdfast drains replies and exits; `save` is not provided.',
    {
      rejects: rejectSave,
    },
  ),
};

export const logging = {
  loglevel: implemented(
    oneOf('debug', 'verbose', 'notice', 'warning', 'nothing'),
    'notice',
    'Least important message that is logged.',
  ),
  logfile: implemented(text(), '', 'File to log to; empty is standard output.', IMMUTABLE),
  'syslog-enabled': notProvided(yesNo, false, 'Log to the system logger.', {
    ...IMMUTABLE,
    rejects: (isOn) => (isOn ? NOT_TO_SYSLOG : undefined),
  }),
  'syslog-ident': inert(text(), 'redis', 'Name in the system log.', IMMUTABLE),
  'syslog-facility': inert(
    oneOf('user', 'local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'),
    'local0',
    'Facility in the system log.',
    IMMUTABLE,
  ),
  'hide-user-data-from-log': inert(
    yesNo,
    false,
    'Keep keys and values out of the log; they are never put there here.',
  ),
  'crash-log-enabled': inert(yesNo, true, 'Report of a crash in the log.'),
  'crash-memcheck-enabled': inert(yesNo, true, 'Memory test after a crash.'),
};

export const measuring = {
  'slowlog-log-slower-than': implemented(
    integer(-1),
    10000,
    'Microseconds from which a command enters SLOWLOG; 0 logs all, -1 none.',
  ),
  'slowlog-max-len': implemented(integer(), 128, 'Entries SLOWLOG keeps.'),
  'slowlog-entry-max-argc': implemented(
    integer(2, INT_MAX),
    32,
    'Arguments kept of a slow command. From a Redis after 8.4.',
  ),
  'slowlog-entry-max-string-len': implemented(
    integer(1, INT_MAX),
    128,
    'Bytes kept of each of them. From a Redis after 8.4.',
  ),
  'latency-monitor-threshold': implemented(
    integer(),
    0,
    'Milliseconds from which LATENCY records an event; 0 records none.',
  ),
  'latency-tracking': implemented(yesNo, true, 'Keep latency histograms of each command.'),
  'latency-tracking-info-percentiles': implemented(
    percentiles,
    [50, 99, 99.9],
    'Percentiles INFO latencystats shows.',
  ),
  'notify-keyspace-events': implemented(
    keyspaceEvents,
    '',
    'Which changes of keys are published: `K` by key, `E` by event, then classes of events or `A` for the usual ones.',
  ),
};

export const security = {
  'enable-protected-configs': implemented(
    oneOf('no', 'yes', 'local'),
    'no',
    'Who may change protected options with CONFIG SET.',
    IMMUTABLE,
  ),
  'enable-debug-command': implemented(oneOf('no', 'yes', 'local'), 'no', 'Who may use DEBUG.', IMMUTABLE),
  'enable-module-command': implemented(
    oneOf('no', 'yes', 'local'),
    'no',
    'Who may use MODULE; there are no modules to load.',
    IMMUTABLE,
  ),
  'enable-debug-assert': inert(yesNo, false, "Assertions for Redis' own tests.", IMMUTABLE),
  loadmodule: refused(fileLines, [], 'Loads a module.', {
    fileOnly: true,
    rejects: (lines) => (lines.length > 0 ? 'modules cannot be loaded' : undefined),
  }),
  'rename-command': refused(fileLines, [], 'Renames or removes a command.', {
    fileOnly: true,
    rejects: (lines) => (lines.length > 0 ? NO_RENAMING : undefined),
  }),
  user: refused(fileLines, [], 'Defines an ACL user.', {
    fileOnly: true,
    sensitive: true,
    rejects: (lines) => (lines.length > 0 ? NO_ACL : undefined),
  }),
  aclfile: refused(text(), '', 'File with ACL users.', {
    ...IMMUTABLE,
    rejects: (path) => (path !== '' ? NO_ACL : undefined),
  }),
  'acllog-max-len': inert(integer(), 128, 'Entries of ACL LOG.'),
  'acl-pubsub-default': inert(
    oneOf('allchannels', 'resetchannels'),
    'resetchannels',
    'Channels a new ACL user may use.',
  ),
};

export const scripting = {
  'busy-reply-threshold': implemented(
    integer(0),
    5000,
    'Milliseconds after which a script that still runs makes others get BUSY instead of waiting; 0: never, they wait.',
    { aliases: ['lua-time-limit'] },
  ),
  'lua-memory-limit': implemented(
    memorySize(),
    256 * 1024 * 1024,
    'Memory a script may take for its own values; beyond it fails. 0: no limit.',
    { own: true },
  ),
  'lua-enable-deprecated-api': inert(yesNo, false, 'Old Lua functions Redis hides.', IMMUTABLE),
  'lua-replicate-commands': inert(wordList(), [], 'Obsolete in Redis too.', { fileOnly: true }),
};

export const locks = {
  'getl-default-timeout': implemented(
    integer(1, INT_MAX),
    15,
    'Seconds GETL locks a key for when it is not told.',
    {
      own: true,
    },
  ),
  'getl-max-timeout': implemented(
    integer(1, INT_MAX),
    29,
    'Most seconds GETL locks a key for; asking for more gets this.',
    {
      own: true,
    },
  ),
  'compat-redis-version': implemented(
    text(versionNumber),
    '8.4.0',
    'The Redis version that INFO and HELLO report, for clients that choose features by it.',
    { own: true, ...IMMUTABLE },
  ),
};

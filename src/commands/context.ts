// What a handler is given: who asks, what, where the answer goes, and the keyspace seen through the eyes of a command.
//
// One context serves all commands, one after the other; nothing of it is kept beyond a handler's return.
// A handler that must run other commands (EXEC) uses `run`; it never reaches for the dispatcher.

import type { Key } from '../bytes/key.ts';
import type { Database } from '../keyspace/database.ts';
import { EVENT, EVENT_CLASS } from '../keyspace/key-event.ts';
import type { Reply } from '../protocol/reply.ts';
import type { ReplyWriter } from '../protocol/reply-writer.ts';
import type { Request } from '../protocol/request.ts';
import type { ScriptEngine } from '../scripting/engine.ts';
import type { LuaReply } from '../scripting/lua-reply.ts';
import type { Client } from '../state/client.ts';
import type { Server } from '../state/server.ts';
import type { Command } from './define.ts';
import { KEY_IS_LOCKED, WRONG_TYPE } from './errors.ts';
import type { Registry } from './registry.ts';

export class Context {
  readonly server: Server;
  readonly registry: Registry;
  /** Where the answer goes: to the client, or into the script that runs the command. */
  reply: Reply;
  /** How the client is answered, for commands that change that. */
  readonly clientReply: ReplyWriter;
  /** Runs another request for the same client: one that has passed the gates, of which only `locked` is asked again. */
  readonly run: (request: Request) => void;
  scripts!: ScriptEngine;
  /**
   * The handler cannot answer yet and must not hold the loop: `step` is called again and again, a while at a time, until it
   * has answered and returns true. Everybody else is told BUSY; the client waits.
   */
  suspend!: (step: () => boolean) => void;
  /** A command that `run` has run is suspended: calls `next` when it has answered. False if none is. */
  whenResumed!: (next: () => void) => boolean;
  /** Runs `scripts.picked` as a script's command, and returns its answer as a script gets it. */
  runPicked!: (command: Command) => LuaReply;
  /** The command is timed by itself, though commands of its name are usually brief. */
  timeAlone!: () => void;
  client!: Client;
  request!: Request;
  command!: Command;
  db!: Database;

  constructor(server: Server, registry: Registry, reply: ReplyWriter, run: (request: Request) => void) {
    this.server = server;
    this.registry = registry;
    this.reply = reply;
    this.clientReply = reply;
    this.run = run;
  }

  /** Now, in whole milliseconds of the keyspace's clock. The same for the whole command. */
  get nowMs(): number {
    return this.server.clock.nowMs;
  }

  /** Looks a key up to read it: its slot or 0. Counts a hit or a miss and marks the key as used. */
  read(key: Key): number {
    const slot = this.peek(key);
    if (slot !== 0 && !this.client.isNoTouch) this.db.touch(slot);
    return slot;
  }

  /** As `read`, for what asks only about the key (EXISTS, TTL): how long it has been idle stays as it is. */
  peek(key: Key): number {
    const slot = this.db.find(key);
    this.countLookup(key, slot);
    return slot;
  }

  /** Counts a hit or, with slot 0, a miss. */
  countLookup(key: Key, slot: number): void {
    if (slot !== 0) {
      this.server.stats.keyspaceHits++;
      return;
    }
    this.server.stats.keyspaceMisses++;
    if ((this.server.wantedEvents & EVENT_CLASS.keymiss) !== 0) {
      this.server.event(this.db, EVENT.keymiss, key.toString());
    }
  }

  /** As `read`, for a string. -1 when the key holds something else: WRONGTYPE has been replied. */
  readString(key: Key): number {
    return this.#requireString(this.read(key));
  }

  /** Looks a key up to change it: its slot or 0. */
  write(key: Key): number {
    return this.db.find(key);
  }

  /** As `write`, for a string. -1 when the key holds something else: WRONGTYPE has been replied. */
  writeString(key: Key): number {
    return this.#requireString(this.db.find(key));
  }

  #requireString(slot: number): number {
    if (slot === 0 || this.db.isString(slot)) return slot;
    this.reply.error(WRONG_TYPE);
    return -1;
  }

  /**
   * True when a GETL lock holds on the key: -EXISTS has been replied, and nothing may be changed.
   * Asked right before the change, by commands whose spec says `locked: 'decides'`.
   */
  refusesLocked(slot: number, db = this.db): boolean {
    if (slot === 0 || !db.isLocked(slot)) return false;
    this.server.stats.getlErrors++;
    this.reply.error(KEY_IS_LOCKED);
    return true;
  }
}

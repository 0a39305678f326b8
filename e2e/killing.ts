import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Node } from './cluster-nodes.ts';
import { type Place, type Program, runOps, startOps, startProduct, stopProduct, untilReady } from './product.ts';
import { linkSavings } from './savings-of-crowd.ts';

/** A target of SIGKILL: server with sandbox, operator's command, or database server; on a cluster each of its nodes. */
interface Victim {
  name: string;
  kill(command: Program): void;
  /** Restarts it, or the processes it took down. */
  restart(): Promise<void>;
}

/**
 * The days that commands advance by during a kill. They hold every task of the timetable, a month of them the deposits
 * too. On a cluster a day takes seconds, so a month is left to the end of all rounds.
 */
const daysAhead = { here: [4, 12, 32], onNodes: [1, 3] };

/** The longest time for which a victim stays down: a command may wait for it. */
const longestDownMs = 10_000;

export interface Round {
  victim: string;
  command: string;
  /** True if the command was still at work. */
  wasUnderWay: boolean;
}

export interface Killing {
  /** Kills at a random moment, restarts, and checks the books. */
  round(): Promise<Round>;
  /** Lets all work finish; returns the faults found. */
  finish(): Promise<string[]>;
}

interface SandboxPayment {
  ref: string;
  email: string;
  metadata: { order_id?: string };
}

/**
 * A running product with a crowd, half of them with savings, and providers slow enough to be caught at work. Its database is
 * its own embedded one, or the cluster of the given nodes.
 */
export async function startKilling(
  place: Place,
  supporters: number,
  random: () => number,
  nodes: Node[] = [],
): Promise<Killing> {
  const commands = [
    ...(nodes.length > 0 ? daysAhead.onNodes : daysAhead.here).map((days) => ['advance', '--days', String(days)]),
    ['debit-run', '--force'],
    ['sync'],
  ];
  let server = await started(place);
  const restart = async () => {
    await server.ended;
    server = await started(place);
  };
  const onceStopped = async () => {
    await stopProduct(server);
    await restart();
  };
  const database = { name: 'database', kill: () => killDatabase(place), restart: onceStopped };
  const victims: Victim[] = [
    { name: 'server', kill: () => server.child.kill('SIGKILL'), restart },
    { name: 'command', kill: (command) => command.child.kill('SIGKILL'), restart: async () => {} },
    ...(nodes.length > 0 ? nodes.map((node) => ({ ...node, restart: node.start })) : [database]),
  ];
  const control = `http://localhost:${place.port + 1}/control`;
  const post = (path: string, body: object) =>
    fetch(`${control}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await runOps(place, 'sandbox', 'crowd', '--supporters', String(supporters));
  await linkSavings(place);
  for (const path of ['/zepto/payment', '/basiq/users']) await post('/faults', { path, latencyMs: 20 });
  const usualMs = new Map<string, number>();
  const problems: string[] = [];

  const audit = async () => {
    const run = startOps(place, 'audit');
    if ((await run.ended) !== 0) problems.push(`audit: ${run.said()}`);
  };

  return {
    async round() {
      const victim = pick(victims, random);
      const words = pick(commands, random);
      const name = words.join(' ');
      const run = startOps(place, ...words);
      const startedAt = Date.now();
      const ended = run.ended.then(() => Date.now() - startedAt);
      await Promise.race([ended, setTimeout((0.25 + 0.75 * random()) * (usualMs.get(name) ?? 5_000))]);
      const wasUnderWay = run.child.exitCode === null;
      victim.kill(run);
      await Promise.race([ended, setTimeout(longestDownMs)]);
      await victim.restart();
      const tookMs = await ended;
      if (!wasUnderWay) usualMs.set(name, tookMs);
      await audit();
      return { victim: victim.name, command: name, wasUnderWay };
    },

    async finish() {
      await fetch(`${control}/faults`, { method: 'DELETE' });
      await runOps(place, 'advance', '--days', '8');
      await runOps(place, 'settle');
      await audit();
      const reconciled = startOps(place, 'reconcile');
      if ((await reconciled.ended) !== 0) problems.push(`reconcile: ${reconciled.said()}`);
      for (const list of ['payments', 'payouts']) {
        const made = (await (await fetch(`${control}/${list}`)).json()) as SandboxPayment[];
        const orders = made.map(({ metadata }) => metadata.order_id);
        if (made.length === 0) problems.push(`no ${list} were made at all`);
        if (new Set(orders).size !== orders.length)
          problems.push(`an order was made twice among ${orders.length} ${list}`);
      }
      if ((await stopProduct(server)) !== 0) problems.push(`the product did not end well: ${server.said()}`);
      return problems;
    },
  };
}

async function started(place: Place): Promise<Program> {
  const server = startProduct(place);
  await untilReady(server);
  return server;
}

const killDatabase = ({ dataDir }: Place) =>
  process.kill(Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

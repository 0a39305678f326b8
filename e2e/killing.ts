import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Place, type Program, runOps, startOps, startProduct, stopProduct, untilReady } from './product.ts';
import { linkSavings } from './savings-of-crowd.ts';

/** SIGKILL's victims: server with sandbox, operator's command, or database server. */
const victims = ['server', 'command', 'database'] as const;
type Victim = (typeof victims)[number];

/**
 * The commands under way meanwhile. Days played ahead hold every task of the timetable, a month of them the deposits
 * too.
 */
const commands: readonly (readonly string[])[] = [
  ['advance', '--days', '4'],
  ['advance', '--days', '12'],
  ['advance', '--days', '32'],
  ['debit-run', '--force'],
  ['sync'],
];

export interface Round {
  victim: Victim;
  command: string;
  /** True if the command was still at work. */
  wasUnderWay: boolean;
}

export interface Killing {
  /** Kills at a random moment, restarts, and checks the books. */
  round(): Promise<Round>;
  /** Lets everything come to its end; returns what is wrong. */
  finish(): Promise<string[]>;
}

interface SandboxPayment {
  ref: string;
  email: string;
  metadata: { order_id?: string };
}

/** A running product with a crowd, half of them with savings, and providers slow enough to be caught at work. */
export async function startKilling(place: Place, supporters: number, random: () => number): Promise<Killing> {
  let server = await started(place);
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
      if (victim === 'command') run.child.kill('SIGKILL');
      if (victim === 'server') server.child.kill('SIGKILL');
      if (victim === 'database') process.kill(postmasterOf(place), 'SIGKILL');
      const tookMs = await ended;
      if (!wasUnderWay) usualMs.set(name, tookMs);
      if (victim === 'database') await stopProduct(server);
      if (victim !== 'command') {
        await server.ended;
        server = await started(place);
      }
      await audit();
      return { victim, command: name, wasUnderWay };
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

const postmasterOf = ({ dataDir }: Place): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

import { controlAndBuckets } from '@sparechange/server/db/in-each-bucket.ts';
import { Refusal } from '@sparechange/server/errors.ts';
import type { Jobs } from '@sparechange/server/jobs/queues.ts';
import { runTimetable } from '@sparechange/server/jobs/timetable/run-timetable.ts';
import type { Mail } from '@sparechange/server/ports/mailer.ts';
import type { Provider } from '@sparechange/server/ports/notifier.ts';
import { timetableDeps } from '@sparechange/server/runtime/job-handlers.ts';
import { Crash } from './faults/crash.ts';
import type { Faults } from './faults/faults.ts';
import { type Product, type ProductEnvironment, startProduct } from './product.ts';
import { inProgram } from './scheduler/program.ts';
import { Scheduler } from './scheduler/scheduler.ts';
import { type ReceivedMail, stoppedByBreaker, type World } from './world.ts';

type Job = `notifications of ${Provider}` | 'submit donations' | 'mails' | 'watch' | 'work';

/** Retries of a job before the queue gives it up, as in the product. */
const maxRetries = 10;

const isStoppedSubmission = (error: unknown): boolean =>
  error instanceof Refusal && error.message.startsWith('The submission of');

/** The product's processes, one after the other, with the queue that outlives them. */
export class Worker {
  product: Product;
  /** By the address they went to, the oldest first. */
  readonly mails = new Map<string, ReceivedMail[]>();
  /** Everywhere the process has ended. */
  readonly ends = new Set<string>();
  /** Tasks of the timetable that the circuit breaker stopped and that were not finished since, by the time they were due. */
  private readonly stopped = new Set<number>();
  private readonly world: World;
  private readonly faults: Faults;
  private readonly startProgram: () => Promise<Product>;
  private readonly queued = new Map<Job, number>();

  private constructor(world: World, faults: Faults, startProgram: () => Promise<Product>, product: Product) {
    this.world = world;
    this.faults = faults;
    this.startProgram = startProgram;
    this.product = product;
  }

  static async start(
    world: World,
    faults: Faults,
    given: Pick<ProductEnvironment, 'databaseUrl' | 'engine' | 'pool' | 'checkpointFile' | 'chance'>,
  ): Promise<Worker> {
    let worker: Worker | undefined;
    // An ended process still asks its own scheduler, which refuses, and never that of its successor.
    const environmentOf = (scheduler: Scheduler): ProductEnvironment => ({
      ...given,
      clock: world.clock,
      fetch: (input, init = {}) => {
        const call = `${init.method ?? 'GET'} ${new URL(String(input)).pathname}`;
        return scheduler.take('provider call', call, () =>
          world.balances.watch(String(input), () => faults.call(world.external.fetch, String(input), init)),
        );
      },
      mailer: { send: (mail) => scheduler.take('mail', mail.subject, async () => worker?.deliver(mail)) },
      enqueue: {
        handleNotifications: (provider) =>
          scheduler.take('statement', 'queue a job', async () => worker?.enqueue(`notifications of ${provider}`)),
        sendMails: () => scheduler.take('statement', 'queue a job', async () => worker?.enqueue('mails')),
        deliverEvents: async () => {}, // there are no endpoints
      } satisfies Jobs['enqueue'],
    });
    const start = () => {
      const scheduler = new Scheduler(faults.endHere);
      return inProgram(scheduler, () => startProduct(environmentOf(scheduler), scheduler));
    };
    worker = new Worker(world, faults, start, await start());
    return worker;
  }

  private deliver({ to, subject, text }: Mail): void {
    const before = this.mails.get(to) ?? [];
    this.mails.set(to, before);
    before.push({ subject, text, at: this.world.clock.peek() });
  }

  /** Queues a job unless it waits already. */
  enqueue(job: Job): void {
    if (!this.queued.has(job)) this.queued.set(job, 0);
  }

  /** Runs work in the process; if the process crashes before it ends, its result or error is ignored. */
  async attempt<Result>(name: string, work: (product: Product) => Promise<Result>): Promise<Result | 'crashed'> {
    await this.restartIfEnded();
    this.faults.begin(name);
    this.world.balances.begin();
    try {
      const result = await inProgram(this.product.scheduler, () => work(this.product));
      return this.product.scheduler.crash ? 'crashed' : result;
    } catch (error) {
      if (this.product.scheduler.crash) return 'crashed';
      throw error;
    } finally {
      await this.restartIfEnded();
    }
  }

  private async restartIfEnded(): Promise<void> {
    const { crash } = this.product.scheduler;
    if (!crash) return;
    this.world.count('crashes');
    this.ends.add(crash.where.replace(/[0-9a-f-]{36}/g, ':id'));
    await this.product.close();
    // ends the ten-minute lease on emails being sent
    for (const db of controlAndBuckets(this.world.admin))
      await db`update mails set taken_until = now() where taken_until is not null`;
    this.product = await this.startProgram();
  }

  /** Lets through what faults may cause; anything else thrown is a violation of its own. */
  tolerate(what: string, error: unknown): void {
    if (isStoppedSubmission(error)) this.world.count(stoppedByBreaker);
    if (error instanceof Crash || this.faults.mayCause(error)) this.world.count(`failures of ${what}`);
    else if (error instanceof Refusal && error.message.includes('is suspended'))
      this.world.count('refusals while suspended');
    else
      this.world.violation(
        `${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
  }

  /** The timetable's tick, as it comes every minute: a task that failed or was cut off is tried again. */
  async tick(task: string): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      let failures = 0;
      const done = await this.attempt(task, async ({ runtime }) => {
        const deps = timetableDeps(runtime);
        await runTimetable({
          ...deps,
          onDone: (due, result) => {
            this.world.count(`runs of ${due.task}`, result === undefined ? 0 : 1);
            if (this.stopped.delete(due.dueAt.getTime()))
              this.world.count('runs finished after the breaker stopped them');
          },
          onFailure: (due, error) => {
            failures += 1;
            if (isStoppedSubmission(error)) this.stopped.add(due.dueAt.getTime());
            this.tolerate(due.task, error);
          },
        });
        return 'done' as const;
      }).catch((error) => {
        failures += 1;
        this.tolerate('the timetable', error);
      });
      if (done === 'done' && failures === 0) break;
    }
    this.enqueue('submit donations');
    this.enqueue('work');
    this.enqueue('watch');
  }

  /** Does what was queued, until only what failed is left for another time. */
  async drain(): Promise<void> {
    const failed = new Map<Job, number>();
    for (let job = this.next(); job; job = this.next()) {
      const [name, tries] = job;
      this.queued.delete(name);
      try {
        const done = await this.attempt(name.split(' ')[0] ?? name, (product) => this.work(product, name));
        if (done === 'crashed') this.retry(this.queued, name, tries);
      } catch (error) {
        this.tolerate(name.split(' ')[0] ?? name, error);
        this.retry(failed, name, tries);
      }
    }
    for (const [name, tries] of failed) this.queued.set(name, tries);
  }

  private next(): [Job, number] | undefined {
    return this.queued.entries().next().value;
  }

  private retry(queue: Map<Job, number>, job: Job, tries: number): void {
    if (tries < maxRetries) queue.set(job, tries + 1);
  }

  private async work({ handlers }: Product, job: Job): Promise<unknown> {
    if (job === 'submit donations') return handlers.submitDonations();
    if (job === 'mails') return handlers.sendMails(new AbortController().signal);
    if (job === 'watch') return handlers.watch();
    if (job === 'work') return handlers.doWork(new AbortController().signal);
    if (job === 'notifications of zepto') return handlers.handleNotifications('zepto');
    await handlers.handleNotifications('basiq');
    this.enqueue('submit donations');
    this.enqueue('work');
    return undefined;
  }

  /** Delivers the notifications of the external systems; a process that has ended receives none. */
  async receiveNotifications(): Promise<void> {
    await this.restartIfEnded();
    this.faults.begin('hearing');
    await this.world.external.deliverNotifications(async (path, headers, body) => {
      const { app, scheduler } = this.product;
      if (scheduler.crash) throw scheduler.crash;
      const answer = await app.inject({ method: 'POST', url: path, headers, payload: body });
      if (scheduler.crash) throw scheduler.crash;
      if (answer.statusCode === 500) this.world.violation(`a notification was answered 500: ${answer.body}`);
      this.world.count(`notifications answered ${answer.statusCode}`);
      return answer.statusCode;
    });
    await this.restartIfEnded();
  }
}

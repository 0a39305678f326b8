import type { World } from '#world/world.ts';

/** The sandbox's time for those who run it. Moving it forward lets everything happen that became due in between. */
export interface SandboxClock {
  now(): Date;
  offsetMs(): number;
  set(to: { now: Date } | { offsetMs: number }): Promise<void>;
}

export const makeSandboxClock = ({ clock, agenda }: World): SandboxClock => ({
  now: () => new Date(clock.now()),
  offsetMs: () => clock.offsetMs(),
  async set(to) {
    clock.setOffset('now' in to ? clock.offsetMs() + to.now.getTime() - clock.now() : to.offsetMs);
    await agenda.settle();
  },
});

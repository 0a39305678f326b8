import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 500;
const maxPauses = 120;

/** Tries again for a minute while another process has the turn, which work says by answering undefined. */
export async function waitForTurn<Result>(work: () => Promise<Result | undefined>): Promise<Result | undefined> {
  let result = await work();
  for (let pauses = 0; result === undefined && pauses < maxPauses; pauses += 1)
    result = await sleep(pauseMs).then(work);
  return result;
}

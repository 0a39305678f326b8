import { z } from 'zod';
import type { Config } from '#config/config.ts';

/** The sandbox is not there, or said no. */
export class SandboxProblem extends Error {
  override name = 'SandboxProblem';
}

/** Speaks to the sandbox's control panel; refused where there is no sandbox. */
export async function controlSandbox<Output extends z.ZodType>(
  { sandbox }: Config,
  path: string,
  body: unknown,
  output: Output,
): Promise<z.output<Output>> {
  if (!sandbox) throw new SandboxProblem('There is no sandbox here: this command is for development only.');
  const response = await fetch(`${sandbox.controlUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => {
    throw new SandboxProblem(`The sandbox does not answer at ${sandbox.url}; start the product first.`);
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new SandboxProblem(`The sandbox refused: ${JSON.stringify(answer)}`);
  return output.parse(answer);
}

export const anything = z.unknown();

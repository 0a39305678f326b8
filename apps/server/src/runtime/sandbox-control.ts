import { z } from 'zod';
import type { Config } from '#config/config.ts';

/** The sandbox does not answer, or refused. */
export class SandboxProblem extends Error {
  override name = 'SandboxProblem';
}

/** Calls the sandbox's control API. Throws SandboxProblem where there is no sandbox, or it refuses or does not answer. */
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
  if (!response.ok) throw new SandboxProblem(`The sandbox refused: ${reasonOf(answer)}`);
  return output.parse(answer);
}

/** For answers that nobody reads. */
export const anyAnswer = z.unknown();

const Refusal = z.object({ error: z.string() });

/** Writes the sandbox's objection in one line, "amount: is dollars". */
function reasonOf(answer: unknown): string {
  const refusal = Refusal.safeParse(answer);
  if (!refusal.success) return JSON.stringify(answer);
  return refusal.data.error
    .split(/\n(?=✖)/)
    .map((problem) => problem.replace(/^✖ ([^\n]*)\n *→ at (.*)$/s, '$2: $1'))
    .join('; ');
}

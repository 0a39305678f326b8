import type { z } from 'zod';

/** Facts that a provider's settings depend on, besides its own variables. */
export interface Surroundings {
  isProduction: boolean;
  dataDir: string;
  /** Where the sandbox plays the providers in development. */
  sandboxUrl: string;
  statementName: string;
}

/** A provider's variables of the environment, and what production asks of them. */
export interface ProviderSettings {
  /** The heading of its variables in `.env.example`, which has their descriptions. */
  title: string;
  variables: z.ZodRawShape;
  /** Variables that must be set in production, each with its reason. */
  required: Record<string, string>;
  /** Variables with addresses: in production they are https, and never the sandbox's. */
  addresses: readonly string[];
  /** Variables with secrets, and how many bytes such a secret has. */
  secrets: Record<string, (secret: string) => number>;
  /** Secrets that a development start shares with its sandbox. */
  sandboxSecrets: Record<string, string>;
  /** First words of the paths where the sandbox plays it. */
  sandboxPaths: readonly string[];
}

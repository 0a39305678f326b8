import type { ServeConsole } from '#http/serve-console.ts';
import { auditRoutes } from './audit-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { ownSignInRoutes, sessionRoutes } from './routes.ts';
import type { SignInDeps } from './sign-in.ts';

/** Serves what the console needs of people: their sign-in, who they are, and what they did. */
export function operatorRoutes(serve: ServeConsole, deps: SignInDeps): void {
  sessionRoutes(serve, deps);
  ownSignInRoutes(serve, deps);
  peopleRoutes(serve, deps);
  auditRoutes(serve, deps);
}

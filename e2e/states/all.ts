import { words } from '../specified-copy.ts';
import { looking } from './accounts.ts';
import { dashboards } from './dashboard.ts';
import { entry } from './entry.ts';
import { more } from './more.ts';
import { onboarding } from './onboarding.ts';
import type { State, States } from './state.ts';

const specified: States<keyof typeof words> = { ...entry, ...onboarding, ...dashboards, ...looking };

export interface KnownState {
  screen: string;
  name: string;
  state: State;
  /** The specified copy of the state. */
  words: readonly (string | RegExp)[];
}

const wordsOf: Record<string, Record<string, readonly (string | RegExp)[]>> = words;

/** Every screen in every state there is a way to. */
export const allStates: KnownState[] = [specified, more].flatMap((screens: Record<string, Record<string, State>>) =>
  Object.entries(screens).flatMap(([screen, states]) =>
    Object.entries(states).map(([name, state]) => ({ screen, name, state, words: wordsOf[screen]?.[name] ?? [] })),
  ),
);

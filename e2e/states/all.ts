import { words } from '../specified-copy.ts';
import { looking } from './accounts.ts';
import { dashboards } from './dashboard.ts';
import { entry } from './entry.ts';
import { histories } from './history.ts';
import { joining } from './joining.ts';
import { onboarding } from './onboarding.ts';
import type { Screens, State } from './state.ts';

/** Steps to every state with specified copy, and some more. */
type Specified = { [S in keyof typeof words]: { [K in keyof (typeof words)[S]]: State } };
const screens: Specified & Screens = { ...entry, ...joining, ...onboarding, ...dashboards, ...looking, ...histories };

export interface KnownState {
  screen: string;
  name: string;
  state: State;
  /** The specified copy of the state. */
  words: readonly (string | RegExp)[];
}

const wordsOf: Record<string, Record<string, readonly (string | RegExp)[]>> = words;

export const listStates = (of: Screens): KnownState[] =>
  Object.entries(of).flatMap(([screen, states]) =>
    Object.entries(states).map(([name, state]) => ({ screen, name, state, words: wordsOf[screen]?.[name] ?? [] })),
  );

/** Every screen in every state that can be reached. */
export const allStates = listStates(screens);

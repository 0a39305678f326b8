import { table } from '#world/database.ts';

export type Provider = 'basiq' | 'zepto';

export interface Subscription {
  id: string;
  provider: Provider;
  name: string;
  description: string;
  url: string;
  secret: string;
  /** Event types; an empty list stands for all of them. */
  eventTypes: string[];
  createdAt: number;
}

export const subscriptions = table<Subscription>('subscriptions', ['eventTypes']);

interface Attempt {
  id: string;
  url: string;
  status: 'Success' | 'Failed';
  response: string;
  responseStatusCode: number | null;
  timestamp: string;
}

export interface Message {
  number: number;
  id: string;
  provider: Provider;
  subscriptionId: string;
  eventType: string;
  eventId: string;
  body: string;
  /** `waiting` for an attempt, `delivered`, `given up`, or deliberately `dropped`. */
  state: 'waiting' | 'delivered' | 'given up' | 'dropped';
  attempts: Attempt[];
  createdAt: number;
  nextAttemptAt: number;
}

export const messages = table<Message, 'number'>('messages', ['attempts']);

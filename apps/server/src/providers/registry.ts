import type { Notifiers } from '#ports/notifier.ts';
import { basiqNotifier } from './basiq/notifier.ts';
import { zeptoNotifier } from './zepto/notifier.ts';

/** By their names in webhook addresses, `/webhooks/<name>`, and in stored notifications. */
export const notifiers: Notifiers = { basiq: basiqNotifier, zepto: zeptoNotifier };

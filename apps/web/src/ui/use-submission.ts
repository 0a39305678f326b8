import { type FormEvent, useState } from 'react';

/** Submits a short form: busy while sending, failed if sending throws. Uses no library, for the login screen. */
export function useSubmission(send: () => Promise<unknown>) {
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready');

  async function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation(); // React passes it on to a form around a modal's opener
    if (state === 'busy') return;
    setState('busy');
    try {
      await send();
      setState('ready');
    } catch {
      setState('failed');
    }
  }
  return { submit: (event: FormEvent) => void submit(event), isBusy: state === 'busy', hasFailed: state === 'failed' };
}

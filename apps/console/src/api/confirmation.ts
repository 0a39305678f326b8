import { makeQuestion } from '@sparechange/web/ui/question.ts';

/** Asks for the passkey or code. */
export const confirmation = makeQuestion();

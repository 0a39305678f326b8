import type { ErrorCode } from '@sparechange/contract';

const maxMessage = 1_000;
const maxQuoted = 40;

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

/** Quotes input, cut: a message says what is wrong and does not carry a file back. */
export const quoted = (input: string): string => `"${cut(input, maxQuoted)}"`;

/** A refusal of a use case: its message is safe to show, cut to 1,000 characters, and callers act on its code. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** The message of each field that is wrong, or what stands in it where somebody else changed it. */
  readonly fields: Record<string, string> | undefined;
  constructor(code: ErrorCode, message: string, fields?: Record<string, string>) {
    super(cut(message, maxMessage));
    this.name = new.target.name;
    this.code = code;
    this.fields = fields;
  }
}

/** Nothing of that name is visible to this caller. */
export class NotFound extends Refusal {
  constructor(what: string) {
    super('not-found', `${what} was not found.`);
  }
}

/** Refused in the current state; it may be allowed later. */
export class Conflict extends Refusal {
  constructor(message: string, code: ErrorCode = 'conflict') {
    super(code, message);
  }
}

/** Somebody else has changed these fields since the caller read them; says what stands in them now. */
export class ChangedMeanwhile extends Refusal {
  constructor(message: string, fields: Record<string, string>) {
    super('changed-meanwhile', message, fields);
  }
}

/** The caller may not do that. */
export class NotAllowed extends Refusal {
  constructor(message = 'That is not yours.', code: ErrorCode = 'not-allowed') {
    super(code, message);
  }
}

/** The input is wrong, as a whole or by field. */
export class InvalidInput extends Refusal {
  constructor(message: string, fields?: Record<string, string>) {
    super('invalid-input', message, fields);
  }
}

/** Returns the refusal of a page that no list has named as its next. */
export const unknownPage = () =>
  new InvalidInput('The page is not known.', { after: 'It is not the `next` of a page' });

/** The caller's session has ended. */
export class SignedOut extends Refusal {
  constructor() {
    super('signed-out', 'Please sign in again.');
  }
}

/** A database, a provider or room for the work is missing just now; the same request may be sent again. */
export class Unavailable extends Refusal {
  constructor(message = 'This cannot be done just now; please try again soon.', code: ErrorCode = 'unavailable') {
    super(code, message);
  }
}

/** A failed start, in one sentence for the operator. */
export class StartProblem extends Error {
  override name = 'StartProblem';
  readonly isExpected = true;
}

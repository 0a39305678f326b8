/** A refusal in Zepto's form: a sentence or detailed list. */
export class ZeptoProblem extends Error {
  readonly status: number;
  readonly body: { errors: string | object[] };

  constructor(status: number, errors: string | object[]) {
    super(typeof errors === 'string' ? errors : JSON.stringify(errors));
    this.status = status;
    this.body = { errors };
  }
}

export const unprocessable = (sentence: string): ZeptoProblem => new ZeptoProblem(422, sentence);

export const badRequest = (sentence: string): ZeptoProblem => new ZeptoProblem(400, sentence);

export const notFound = (thing: string): ZeptoProblem => new ZeptoProblem(404, `${thing} not found`);

export const duplicate = (resourceRef: string): ZeptoProblem =>
  new ZeptoProblem(409, [
    {
      title: 'Duplicate idempotency key',
      detail: 'A resource has already been created with this idempotency key',
      meta: { resource_ref: resourceRef },
    },
  ]);

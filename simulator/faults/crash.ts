/** Thrown to end the product's process at some point; caught only where the simulator runs a part of that process. */
export class Crash extends Error {
  override name = 'Crash';
  readonly where: string;
  constructor(where: string) {
    super(`the program ended ${where}`);
    this.where = where;
  }
}

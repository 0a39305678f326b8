/** Ends the product's process at some point; only a part of that process catches it. */
export class Crash extends Error {
  override name = 'Crash';
  readonly where: string;
  constructor(where: string) {
    super(`the program ended ${where}`);
    this.where = where;
  }
}

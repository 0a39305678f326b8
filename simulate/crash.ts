/** The end of the product's program at some point; whoever sees it is a part of that program that no longer exists. */
export class Crash extends Error {
  override name = 'Crash';
  readonly where: string;
  constructor(where: string) {
    super(`the program ended ${where}`);
    this.where = where;
  }
}

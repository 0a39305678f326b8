import type { Outside } from './outside.ts';
import type { Person } from './person.ts';

interface Page {
  data: { id: string; accountNo: string }[];
}

/** Which bank account is behind each id the bank link has ever given it: a new connection gives new ids. */
export class AccountNumbers {
  private readonly known = new Map<string, string>();
  private readonly outside: Outside;

  constructor(outside: Outside) {
    this.outside = outside;
  }

  /** Reads the ids of a person's accounts from the bank, past all misfortune. */
  async learn({ customerId }: Person): Promise<void> {
    if (!customerId) return;
    const { data } = await this.outside.readBank<Page>(`/users/${customerId}/accounts`);
    for (const { id, accountNo } of data) this.known.set(id, accountNo);
  }

  async of(person: Person, id: string): Promise<string> {
    if (!this.known.has(id)) await this.learn(person);
    return this.known.get(id) ?? id;
  }
}

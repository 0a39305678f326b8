import type { SupporterActor } from '../actors/supporter-actor.ts';
import type { ExternalSystems } from '../external-systems.ts';

interface Page {
  data: { id: string; accountNo: string }[];
}

/** Which bank account is behind each id the bank link has ever given it: a new connection gives new ids. */
export class AccountNumbers {
  private readonly known = new Map<string, string>();
  private readonly external: ExternalSystems;

  constructor(external: ExternalSystems) {
    this.external = external;
  }

  /** Reads a supporter's bank account ids, bypassing injected faults. */
  async learn({ customerId }: SupporterActor): Promise<void> {
    if (!customerId) return;
    const { data } = await this.external.readBank<Page>(`/users/${customerId}/accounts`);
    for (const { id, accountNo } of data) this.known.set(id, accountNo);
  }

  async of(supporter: SupporterActor, id: string): Promise<string> {
    if (!this.known.has(id)) await this.learn(supporter);
    return this.known.get(id) ?? id;
  }
}

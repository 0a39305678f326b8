/** A person who acts for the organisation: at the command line, or signed in to the console. */
export interface Actor {
  kind: 'operating_system' | 'console';
  /** The name of the operating-system user, or the id of the console's person. */
  id: string;
}

/** Names an actor in the audit log. */
export const actorName = ({ kind, id }: Actor): string => (kind === 'console' ? `console ${id}` : id);

export const isSamePerson = (one: Actor, other: Actor): boolean => one.kind === other.kind && one.id === other.id;

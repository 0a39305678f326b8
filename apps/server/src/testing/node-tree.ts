/** A node of PostgreSQL's parse tree: its kind, and its fields by name. */
export interface TreeNode {
  kind: string;
  fields: Record<string, TreeValue>;
}

/** A node, a list, or a word; null where PostgreSQL writes `<>`. */
export type TreeValue = TreeNode | TreeValue[] | string | null;

const token = /\s*([(){}]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}\\])+)/y;

/** Reads what PostgreSQL shows of a `pg_node_tree`, as of a function's body. */
export function readTree(text: string): TreeValue {
  token.lastIndex = 0;
  const next = (): string => token.exec(text)?.[1] ?? '}';
  const valueFrom = (first: string): TreeValue => {
    if (first === '{') return nodeOf(next());
    if (first === '(') return listFrom(next());
    return first === '<>' ? null : first;
  };
  const listFrom = (first: string): TreeValue[] => {
    const items: TreeValue[] = [];
    for (let word = first; word !== ')'; word = next()) items.push(valueFrom(word));
    return items;
  };
  const nodeOf = (kind: string): TreeNode => {
    const fields: TreeNode['fields'] = {};
    let name = '';
    for (let word = next(); word !== '}'; word = next())
      if (word.startsWith(':')) {
        name = word.slice(1);
        fields[name] = null;
      } else fields[name] ??= valueFrom(word); // of bytes, which follow their number, the number does
    return { kind, fields };
  };
  return valueFrom(next());
}

export const isNode = (value: TreeValue | undefined): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the nodes that a value is or holds directly. */
export function nodesIn(value: TreeValue | undefined): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isNode(value) ? [value] : [];
}

/** Returns the nodes in a node's fields. */
export const childrenOf = ({ fields }: TreeNode): TreeNode[] => Object.values(fields).flatMap(nodesIn);

/** Returns a value's nodes at any depth; those under a node that `isLeft` names are left out, but not it. */
export const nodesUnder = (
  value: TreeValue | undefined,
  isLeft: (node: TreeNode) => boolean = () => false,
): TreeNode[] =>
  nodesIn(value).flatMap((node) => [
    node,
    ...(isLeft(node) ? [] : childrenOf(node).flatMap((child) => nodesUnder(child, isLeft))),
  ]);

interface Named {
  key: string;
  name: string;
}

/** Returns a Select's options of brands sorted by their labels; brands of the same name also show their keys. */
export const tenantOptions = (tenants: readonly Named[]) =>
  tenants
    .map(({ key, name }) => {
      const isShared = tenants.filter((other) => other.name === name).length > 1;
      return { value: key, label: isShared ? `${name} (${key})` : name };
    })
    .sort((one, other) => one.label.localeCompare(other.label));

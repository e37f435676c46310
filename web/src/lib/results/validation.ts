/** Validates data from outside, such as files: a check returns the value, or says where it is wrong. */
export type Check<T> = (value: unknown, where: string) => T;

/** Where something is wrong, and what would be right: a word of the texts (`me.should.`) with its parameters. */
export class Invalid extends Error {
  constructor(
    readonly where: string,
    readonly should: string,
    readonly params: object = {},
  ) {
    super(`${where}: ${should}`);
  }
}

export function text(form: RegExp, longest = 40): Check<string> {
  return (value, where) => {
    if (typeof value === "string" && value.length <= longest && form.test(value)) return value;
    throw new Invalid(where, "text", { longest });
  };
}

export function number(low: number, high: number): Check<number> {
  return (value, where) => {
    if (typeof value === "number" && value >= low && value <= high) return value;
    throw new Invalid(where, "number", { low, high });
  };
}

export function whole(low: number, high: number): Check<number> {
  return (value, where) => {
    if (Number.isInteger(value)) return number(low, high)(value, where);
    throw new Invalid(where, "whole", { low, high });
  };
}

export const flag: Check<boolean> = (value, where) => {
  if (typeof value === "boolean") return value;
  throw new Invalid(where, "flag");
};

export function listOf<T>(one: Check<T>, most: number): Check<T[]> {
  return (value, where) => {
    if (!Array.isArray(value) || value.length > most) throw new Invalid(where, "list", { most });
    return value.map((each, at) => one(each, `${where}[${at}]`));
  };
}

const NAME = /^[\w-]{1,40}$/;

export function mapOf<T>(one: Check<T>, most: number): Check<{ [name: string]: T }> {
  return (value, where) => {
    const all = Object.entries(object(value, where));
    if (all.length > most || !all.every(([name]) => NAME.test(name))) throw new Invalid(where, "map", { most });
    return Object.fromEntries(all.map(([name, each]) => [name, one(each, `${where}.${name}`)]));
  };
}

type Fields<T> = { [Name in keyof T]-?: Check<T[Name]> };

/** An object with these fields; others in it are left out. */
export function shape<T extends object>(fields: Fields<T>): Check<T> {
  return (value, where) => {
    const found = object(value, where);
    const entries = Object.entries<Check<unknown>>(fields).map(([name, check]): [string, unknown] => [
      name,
      check(Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined, where ? `${where}.${name}` : name),
    ]);
    return Object.fromEntries(entries.filter(([, one]) => one !== undefined)) as T;
  };
}

/** Something that may be missing. */
export function maybe<T>(check: Check<T>): Check<T | undefined> {
  return (value, where) => (value === undefined ? undefined : check(value, where));
}

function object(value: unknown, where: string): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Invalid(where, "object");
}

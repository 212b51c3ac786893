type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

/** The same for Connect, whose types have no lists that can't be changed. It changes none. */
export function mutable<T>(value: T): Mutable<T> {
  return value as Mutable<T>;
}

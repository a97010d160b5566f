/** A record as read: to change it, say which revision the change is made from. */
export interface Versioned<T> {
  readonly value: T;
  readonly revision: number;
}

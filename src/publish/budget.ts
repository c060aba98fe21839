/** What a run may take on: so many objects, and so many bytes of them. What begins within that is allowed. */

export interface Budget {
  readonly isLeft: boolean;
  /** Counts an object that is read. */
  take(bytes: number): void;
}

export function createBudget(objects: number, bytes: number): Budget {
  let [objectsLeft, bytesLeft] = [objects, bytes];
  return {
    get isLeft() {
      return objectsLeft > 0 && bytesLeft > 0;
    },
    take(size) {
      objectsLeft -= 1;
      bytesLeft -= size;
    },
  };
}

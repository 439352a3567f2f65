// Addresses of tables and functions, as `tostring` shows them. JavaScript has none, so they are made up.
//
// Guarantees: one object keeps its address until `reset`, no two have the same, and after a reset the same questions get
// the same answers, so that a script that starts over says the same again.

const FIRST = 0x7f5a_0c00_0010;
/** What a small table takes in Lua. */
const STEP_BYTES = 64;

export class Addresses {
  #known = new WeakMap<object, string>();
  #next = FIRST;

  /** Forgets all. */
  reset(): void {
    if (this.#next === FIRST) return;
    this.#known = new WeakMap();
    this.#next = FIRST;
  }

  of(object: object): string {
    let address = this.#known.get(object);
    if (address === undefined) {
      address = `0x${this.#next.toString(16)}`;
      this.#next += STEP_BYTES;
      this.#known.set(object, address);
    }
    return address;
  }
}

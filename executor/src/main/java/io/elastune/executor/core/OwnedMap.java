package io.elastune.executor.core;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A map of a state, copied only when it is first written to: most steps write to one of them, or
 * none, and a run of thousands of trials takes many steps.
 */
final class OwnedMap<K, V> {
  private SortedMap<K, V> map;
  private boolean owned;

  /** {@code lent} is never written to. */
  OwnedMap(SortedMap<K, V> lent) {
    this.map = lent;
  }

  /** For reading only. */
  SortedMap<K, V> look() {
    return map;
  }

  /** For writing. */
  SortedMap<K, V> write() {
    if (!owned) {
      map = new TreeMap<>(map);
      owned = true;
    }
    return map;
  }

  /** For others to keep: from now on it is not written to either. */
  SortedMap<K, V> lend() {
    owned = false;
    return map;
  }
}

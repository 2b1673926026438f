package io.elastune.executor.decision;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A map that is copied when it is first written to, and that records whether a write was
 * significant. Most steps write to one map or none, and a run of thousands of trials takes many
 * steps.
 */
final class CopyOnWriteMap<K, V> {
  private final BiPredicate<V, V> significant;
  private SortedMap<K, V> map;
  private boolean owned;
  private boolean dirty;

  /**
   * A copy of {@code lent}, which is never written to.
   *
   * @param significant whether replacing the first value by the second is a significant write;
   *     adding and removing an entry always is
   */
  CopyOnWriteMap(SortedMap<K, V> lent, BiPredicate<V, V> significant) {
    this.map = lent;
    this.significant = significant;
  }

  /** The present entries, for reading only. */
  SortedMap<K, V> view() {
    return map;
  }

  void put(K key, V value) {
    V before = map.get(key);
    dirty |= isSignificant(before, value);
    if (before != value) {
      own();
      map.put(key, value);
    }
  }

  private boolean isSignificant(@Nullable V before, V after) {
    return before == null || significant.test(before, after);
  }

  void remove(K key) {
    dirty = true;
    own();
    map.remove(key);
  }

  private void own() {
    if (!owned) {
      map = new TreeMap<>(map);
      owned = true;
    }
  }

  /** Whether there was a significant write. */
  boolean isDirty() {
    return dirty;
  }

  /** The present entries for others to keep: the next write copies them again. */
  SortedMap<K, V> share() {
    owned = false;
    return map;
  }
}

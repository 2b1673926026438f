package io.elastune.core.policy;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from the numbers of trials to values, in ascending order. It is an array by
 * number, because a policy looks up and changes its trials after every event of a simulated run.
 */
public final class TrialMap<V> extends AbstractMap<Integer, V> {
  private final @Nullable Object[] values;
  private final int size;

  private TrialMap(@Nullable Object[] values, int size) {
    this.values = values;
    this.size = size;
  }

  /** Returns the map without entries. */
  public static <V> TrialMap<V> empty() {
    return new TrialMap<>(new Object[0], 0);
  }

  /** Returns the map with the entries of another one. */
  public static <V> TrialMap<V> copyOf(Map<Integer, V> entries) {
    Draft<V> draft = TrialMap.<V>empty().edit();
    entries.forEach(draft::put);
    return draft.done();
  }

  /** Returns the value of a trial; null if it has none. */
  @Nullable V of(int trial) {
    return trial < values.length ? value(trial) : null;
  }

  @SuppressWarnings("unchecked")
  private @Nullable V value(int trial) {
    return (V) values[trial];
  }

  @Override
  public @Nullable V get(Object key) {
    return key instanceof Integer trial && trial >= 0 ? of(trial) : null;
  }

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Set<Entry<Integer, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<Integer, V>> iterator() {
        return new Entries();
      }

      @Override
      public int size() {
        return size;
      }
    };
  }

  private final class Entries implements Iterator<Entry<Integer, V>> {
    private int next = after(0);

    private int after(int trial) {
      int found = trial;
      while (found < values.length && values[found] == null) {
        found++;
      }
      return found;
    }

    @Override
    public boolean hasNext() {
      return next < values.length;
    }

    @Override
    public Entry<Integer, V> next() {
      V value = of(next);
      if (value == null) {
        throw new NoSuchElementException();
      }
      Entry<Integer, V> entry = new SimpleImmutableEntry<>(next, value);
      next = after(next + 1);
      return entry;
    }
  }

  /** Returns a changeable view of this map, which itself does not change. */
  Draft<V> edit() {
    return new Draft<>(this);
  }

  /** The changes of a map. It is copied at the first one. */
  static final class Draft<V> {
    private TrialMap<V> current;
    private boolean isCopy;

    private Draft(TrialMap<V> from) {
      current = from;
    }

    @Nullable V of(int trial) {
      return current.of(trial);
    }

    int size() {
      return current.size;
    }

    void put(int trial, V value) {
      change(trial, value);
    }

    void remove(int trial) {
      if (of(trial) != null) {
        change(trial, null);
      }
    }

    private void change(int trial, @Nullable V value) {
      int length = Math.max(current.values.length, trial + 1);
      int change = (value == null ? 0 : 1) - (of(trial) == null ? 0 : 1);
      @Nullable Object[] values =
          isCopy && length == current.values.length
              ? current.values
              : Arrays.copyOf(current.values, length);
      values[trial] = value;
      current = new TrialMap<>(values, current.size + change);
      isCopy = true;
    }

    /** The largest number of a trial with a value, or any larger one. */
    int bound() {
      return current.values.length - 1;
    }

    /** Returns the changed map. The draft must not be used any more. */
    TrialMap<V> done() {
      return current;
    }
  }
}

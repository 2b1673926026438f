package io.elastune.core.search;

import io.elastune.core.search.RungState.Entry;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The results of one rung in one bracket, the best first, and the first that may be promoted. */
final class RankedResults extends AbstractList<Entry> {
  private final List<Entry> entries;

  /** No result before this one can be promoted any more. */
  private int open;

  RankedResults(List<Entry> entries) {
    this.entries = new ArrayList<>(entries);
  }

  @Override
  public Entry get(int index) {
    return entries.get(index);
  }

  @Override
  public int size() {
    return entries.size();
  }

  /** Inserts a result and returns its place. */
  int insert(TrialResult result) {
    Entry entry = new Entry(result, false);
    int found = Collections.binarySearch(entries, entry, Comparator.comparing(Entry::result));
    int place = found >= 0 ? found : -found - 1;
    entries.add(place, entry);
    open = Math.min(open, place);
    return place;
  }

  /** Marks a result as promoted, and returns it as it was before. */
  Entry promote(int index) {
    Entry entry = entries.get(index);
    entries.set(index, entry.asPromoted());
    return entry;
  }

  /** Whether a result is valid and was not promoted. */
  boolean isOpen(int index) {
    Entry entry = entries.get(index);
    return !entry.promoted() && entry.result().isValid();
  }

  /** Returns the index of the best of the first {@code most} results that is open, or -1. */
  int firstOpen(int most) {
    while (open < entries.size() && !isOpen(open)) {
      open++;
    }
    return open < Math.min(most, entries.size()) ? open : -1;
  }

  /** Returns how many of the first {@code most} results are open. */
  int countOpen(int most) {
    int count = 0;
    for (int i = firstOpen(most); i >= 0 && i < most; i++) {
      count += isOpen(i) ? 1 : 0;
    }
    return count;
  }
}

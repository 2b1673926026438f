package io.elastune.provisioner.remote;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Splits lists for calls that accept a limited number of items. */
public final class Batches {
  private Batches() {}

  /** Returns the consecutive parts of a list, each of at most {@code size} items. */
  public static <T> List<List<T>> of(Collection<T> all, int size) {
    List<T> items = List.copyOf(all);
    return IntStream.iterate(0, from -> from < items.size(), from -> from + size)
        .mapToObj(from -> items.subList(from, Math.min(items.size(), from + size)))
        .map(List::copyOf)
        .toList();
  }
}

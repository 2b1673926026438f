package io.elastune.provisioner.aws.sdk;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Splits a list into batches for one call each. */
final class Batches {
  private Batches() {}

  static List<List<String>> of(Collection<String> all, int most) {
    List<String> items = List.copyOf(all);
    List<List<String>> slices = new ArrayList<>();
    for (int from = 0; from < items.size(); from += most) {
      slices.add(items.subList(from, Math.min(items.size(), from + most)));
    }
    return slices;
  }
}

package io.elastune.executor.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The metrics of a run that are left out of reports because they are no numbers. Each is named
 * once: trials usually report the same ones after every unit.
 */
public final class OmittedMetrics {
  /** The most names that are kept: metrics of samples may have any number of names. */
  private static final int MOST_NAMES = 1000;

  private final Set<String> named = ConcurrentHashMap.newKeySet();

  /** Returns a message for each metric that was not named before. */
  List<String> name(Map<String, String> omitted) {
    List<String> messages = new ArrayList<>();
    omitted.forEach(
        (name, kind) -> {
          if (named.size() < MOST_NAMES && named.add(name)) {
            messages.add(
                "the metric "
                    + MessageText.singleLine(name)
                    + " is "
                    + kind
                    + ", not a number: left out");
          }
        });
    return messages;
  }
}

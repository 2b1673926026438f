package io.elastune.cli.account;

import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.TaggedInstance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lists the instances of all accounts. An account that cannot be queried hides no other. */
final class InstanceSearch {
  private final List<TaggedInstance> found = new ArrayList<>();
  private final Map<String, CloudException> unexamined = new LinkedHashMap<>();
  private boolean anyExamined;

  /** Searches an account, or some of its places. */
  void search(String provider, CloudAccount account, List<String> places) {
    for (List<String> some : account.independent(places)) {
      search(account, some.isEmpty() ? provider : String.join(",", some), some);
    }
  }

  private void search(CloudAccount account, String name, List<String> places) {
    try {
      found.addAll(account.instances(places));
      anyExamined = true;
    } catch (CloudException e) {
      unexamined.put(name, e);
    }
  }

  /**
   * Returns the instances that were found.
   *
   * @throws CloudException if nothing could be examined
   */
  List<TaggedInstance> found() {
    if (!anyExamined && !unexamined.isEmpty()) {
      throw unexamined.values().iterator().next();
    }
    return found;
  }

  /** Returns whether this search covered all that {@code other} covered. */
  boolean covers(InstanceSearch other) {
    return other.unexamined.keySet().containsAll(unexamined.keySet());
  }

  /** Returns a line for each account or cluster that could not be examined. */
  List<String> unexamined() {
    List<String> lines = new ArrayList<>();
    unexamined.forEach(
        (name, problem) ->
            lines.add(
                ("%s was not examined: %s. Its instances may still be billed: correct this, and run"
                        + " 'elastune orphans --infra %s'")
                    .formatted(name, problem.failure().message(), name)));
    return lines;
  }
}

package io.elastune.provisioner.gcp.node;

import io.elastune.provisioner.remote.NodeReport;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the boot state that a node reports in its guest attributes. */
public final class GuestAttributes {
  private static final String STATE = "state";
  private static final Pattern READY = Pattern.compile("\\s*ready ?(\\d{0,7})\\s*");
  private static final Pattern FAILED = Pattern.compile("failed (\\d{1,3}) ([A-Za-z0-9+/=]*)\\s*");

  private GuestAttributes() {}

  /** Returns the report in a node's guest attributes; empty if there is none yet. */
  public static Optional<NodeReport> report(Map<String, String> attributes) {
    String state = attributes.getOrDefault(STATE, "");
    Matcher failed = FAILED.matcher(state);
    if (failed.matches()) {
      return Optional.of(NodeReport.failed(failed.group(1), failed.group(2)));
    }
    Matcher ready = READY.matcher(state);
    return ready.matches() ? Optional.of(NodeReport.ready(ready.group(1))) : Optional.empty();
  }
}

package io.elastune.provisioner.aws.node;

import io.elastune.provisioner.remote.NodeReport;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the report of a node in its console output. */
public final class ConsoleReport {
  private static final Pattern READY = Pattern.compile("(?m)^ELASTUNE-NODE ready ?(\\d{0,7})\\s*$");
  private static final Pattern FAILED =
      Pattern.compile("(?m)^ELASTUNE-NODE failed (\\d{1,3}) ([A-Za-z0-9+/=]*)\\s*$");

  private ConsoleReport() {}

  /** Parses console output; returns empty if the node has not reported yet. */
  public static Optional<NodeReport> report(String console) {
    Matcher failed = FAILED.matcher(console);
    if (failed.find()) {
      return Optional.of(NodeReport.failed(failed.group(1), failed.group(2)));
    }
    Matcher ready = READY.matcher(console);
    return ready.find() ? Optional.of(NodeReport.ready(ready.group(1))) : Optional.empty();
  }
}

package io.elastune.cli.text;

import io.elastune.core.offer.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Renders quotas with the number of instances that each allows. */
public final class QuotaTable {
  private QuotaTable() {}

  /** Returns a header and a line for every quota and offer; empty without quotas. */
  public static List<String> of(List<Quota> quotas) {
    if (quotas.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable().left("quota").right("limit").left("offer").right("each").right("at most");
    for (Quota quota : quotas) {
      for (Map.Entry<String, Integer> use : quota.uses().entrySet()) {
        table.row(
            quota.name(),
            quota.limit() + " " + quota.unit(),
            use.getKey(),
            use.getValue(),
            quota.maxInstances(use.getKey()));
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "Quotas: limits on instances that run at the same time; offers of the same quota share"
            + " it.");
    lines.addAll(table.lines());
    return lines;
  }
}

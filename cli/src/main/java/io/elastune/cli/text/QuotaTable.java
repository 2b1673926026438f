package io.elastune.cli.text;

import io.elastune.core.offer.Quota;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Renders quotas with the number of instances that each allows. */
public final class QuotaTable {
  private QuotaTable() {}

  /**
   * Returns a header and a line for every quota, instance type and market; empty without quotas.
   */
  public static List<String> of(List<Quota> quotas) {
    if (quotas.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable().left("quota").right("limit").left("offer").right("each").right("at most");
    for (Quota quota : quotas) {
      byType(quota)
          .forEach(
              (type, offers) -> {
                String first = offers.get(0);
                table.row(
                    quota.name(),
                    quota.amount(quota.limit()),
                    offers.size() == 1 ? first : type + " in " + offers.size() + " places",
                    quota.unitsPerInstance(first),
                    quota.maxInstances(first));
              });
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        "Quotas: limits on instances that run at the same time; offers of the same quota share"
            + " it.");
    lines.addAll(table.lines());
    return lines;
  }

  /** Groups the offers by instance type and market: those of all places are counted equally. */
  private static Map<String, List<String>> byType(Quota quota) {
    return quota.uses().keySet().stream()
        .collect(
            Collectors.groupingBy(
                QuotaTable::withoutPlace, LinkedHashMap::new, Collectors.toList()));
  }

  private static String withoutPlace(String offer) {
    int market = offer.lastIndexOf('/');
    return offer.substring(offer.lastIndexOf('/', market - 1) + 1);
  }
}

package io.elastune.executor.ray.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The records of errors of the GPUs of a node. Each line of a query has the bus address of a GPU
 * first.
 *
 * @param xids the Xid errors in the kernel's log since the boot; none if it cannot be read
 * @param ecc the uncorrected ECC errors since the driver was loaded
 * @param pages whether memory pages wait for their retirement
 * @param rows whether memory rows wait for their remapping, and whether a remapping has failed
 */
record GpuHealth(List<XidError> xids, SmiReport ecc, SmiReport pages, SmiReport rows) {
  /** The records of a container, which has none. */
  static final GpuHealth UNKNOWN =
      new GpuHealth(List.of(), SmiReport.MISSING, SmiReport.MISSING, SmiReport.MISSING);

  GpuHealth {
    xids = List.copyOf(xids);
  }

  static GpuHealth of(JsonNode json) {
    List<XidError> xids = new ArrayList<>();
    json.path("xids").forEach(xid -> xids.add(XidError.of(xid)));
    return new GpuHealth(
        xids,
        SmiReport.of(json.path("ecc")),
        SmiReport.of(json.path("pages")),
        SmiReport.of(json.path("rows")));
  }

  /** Returns the first record of an error that needs a reset or another GPU; empty without one. */
  Optional<String> finding() {
    return xids.stream()
        .flatMap(xid -> xid.finding().stream())
        .findFirst()
        .or(() -> first(ecc, List.of("uncorrected ECC errors since its driver was loaded")))
        .or(() -> first(pages, List.of("memory pages that are retired only after a reset")))
        .or(
            () ->
                first(
                    rows,
                    List.of(
                        "memory rows that are remapped only after a reset",
                        "a failed remapping of memory rows")));
  }

  /** Lines of another form are those of a driver that does not have the query. */
  private static Optional<String> first(SmiReport report, List<String> columns) {
    return report.lines().stream()
        .map(line -> line.split(",", -1))
        .filter(values -> values.length == 1 + columns.size())
        .flatMap(values -> problem(values, columns).stream())
        .findFirst();
  }

  private static Optional<String> problem(String[] values, List<String> columns) {
    for (int column = 0; column < columns.size(); column++) {
      String value = values[1 + column].strip();
      boolean isCount = value.matches("0*[1-9][0-9]*");
      if (isCount || value.equalsIgnoreCase("yes")) { // else 0, No, or [N/A] of GPUs without ECC
        String count = isCount && columns.size() == 1 ? value + " " : "";
        return Optional.of("GPU " + values[0].strip() + " has " + count + columns.get(column));
      }
    }
    return Optional.empty();
  }
}
